"""Files → documents."""
