"""The three small models of the DPP attention paper: recurrent, Transformer and convolutional, with
copying.
"""
