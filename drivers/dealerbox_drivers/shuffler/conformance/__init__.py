"""Does whatever answers on a line keep shuffler wire 1? Questions, and a report that a maker can act on."""
