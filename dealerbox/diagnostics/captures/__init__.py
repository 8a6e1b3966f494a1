"""What passed over a device's wire, in a file without a tag: taken, explained, played into its driver again."""
