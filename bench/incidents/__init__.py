"""What went wrong at real tables, told again as event logs: each stopped at the first event where it can be known."""
