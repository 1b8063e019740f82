"""How accurate the answers about a mean are: every method, over populations, users, observations and budgets."""
