"""How Sphinx makes the site. `tools.site` stages what it reads and calls it."""

project = "pbem"
author = "The pbem engineers"
copyright = "The pbem engineers, MIT licence"
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = "pbem: board wargames by email"
html_extra_path = ["_extra"]
html_copy_source = False
html_show_sourcelink = False
smartquotes = False  # what people type is shown as they type it
myst_heading_anchors = 4  # as the pages link to each other's headings, also where they are read as files
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
pygments_style = "friendly"
pygments_dark_style = "monokai"
