"""Pictures: view data, layout, themes, glyphs, and the one screen that draws them."""
