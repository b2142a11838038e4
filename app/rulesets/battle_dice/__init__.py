"""Battle Dice (Guerra dos Dados): one module for each part of the rule document."""
