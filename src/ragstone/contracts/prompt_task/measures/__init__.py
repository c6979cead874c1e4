"""What a task measures: metrics of fields and of reasoning, and which of them a task file names."""
