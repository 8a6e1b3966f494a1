"""What a technician finds out about a table: gathered, measured and judged here, shown by `dealerbox.cli.diag`."""
