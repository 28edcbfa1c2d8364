"""PDF files to documents."""
