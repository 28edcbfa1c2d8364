"""Summarizing one of several papers beside the others."""

from dataclasses import dataclass

from ..documents.model import Document
from ..locality import Cut
from ..shapes.brief import Brief
from ..shapes.studies import COMPARED, Study
from .worker import Shape, Worker


@dataclass
class StudyWorker(Worker):
    """Summarizes what each of several papers studied and found; briefly under the same headings."""

    subject: str = ""  # what the papers have in common, if that is known

    def _shape(self, documents: list[Document], cut: Cut | None) -> Shape:
        """See :meth:`Worker._shape`."""
        if self.brief:
            return Brief(documents[0], self.generation, COMPARED)
        return Study(documents[0], self.generation, self.subject)
