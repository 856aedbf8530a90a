"""Pictures of scenes (kit/scene.py): SVG and self-contained pages. The same scene always gives the same bytes."""
