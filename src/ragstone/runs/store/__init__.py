"""Run folders: what is kept, so that nothing paid for is lost and every figure can be made again."""
