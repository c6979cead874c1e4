"""What answers a question, whole and bare: people by their names, a page of questions and answers by what it asks."""
