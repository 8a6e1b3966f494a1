"""`python -m dealerbox` is `dealerbox`."""

from dealerbox.cli.main import main

main()
