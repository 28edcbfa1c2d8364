"""Documents → pages."""
