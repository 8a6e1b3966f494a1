"""metraTec readers of ISO15693 tags, by their ASCII protocol."""
