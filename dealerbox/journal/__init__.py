"""The disk: records that are never lost, never invented, never changed."""
