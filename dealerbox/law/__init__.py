"""What the statute asks, as tables: clauses, plan, irregularities, remedies, custody, house limits."""
