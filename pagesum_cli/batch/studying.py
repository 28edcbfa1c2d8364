"""Summarizing one of several papers beside the others."""

from dataclasses import dataclass

from ..documents.model import Document
from ..locality import Cut
from ..shapes.studies import Study
from .worker import Shape, Worker


@dataclass
class StudyWorker(Worker):
    """Summarizes what each of several papers studied and found."""

    subject: str = ""  # what the papers have in common, if that is known

    def _shape(self, documents: list[Document], cut: Cut | None) -> Shape:
        """See :meth:`Worker._shape`."""
        return Study(documents[0], self.generation, self.subject)
