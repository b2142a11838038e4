"""One small module for each forum family: how it writes a die and shows a rolled one."""
