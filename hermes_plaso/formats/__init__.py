"""What Hermes Agent writes and means.

Nothing in this package imports Plaso or opens a file: values go in, records come out.
"""
