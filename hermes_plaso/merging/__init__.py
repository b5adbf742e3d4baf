"""Merging of timelines: storage files, or exports of psort."""
