"""FEIG OBID readers with an antenna multiplexer (firmware-protocols/feig)."""
