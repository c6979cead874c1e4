"""Reading documents into pages; knows no index, no question and no answer."""

from ragstone.documents.folder import KINDS, find_files, read_document, read_folder
from ragstone.documents.page import Document, DocumentError, Page

__all__ = ["KINDS", "Document", "DocumentError", "Page", "find_files", "read_document", "read_folder"]
