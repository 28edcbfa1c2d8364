"""What a program has written is proven only if one sentence of a document says all of it."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def restates(claim: str, text: str) -> bool:
    checker = Checker.of([Document("a.txt", (Section("", (Paragraph(text),)),), "")])
    (checked,) = checker.checked([Claim(claim)])
    return checked.is_supported and not checked.fails() and checker.restates(checked)


RAIN = "The harvest of rye was late in the valley, because rain fell for eleven days in April."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (RAIN, RAIN),
        ("The late harvest of rye in the valley is due to rain, which fell for 11 days in April.",
         RAIN),
        ("On Monday, the new library opened with forty thousand books for children.",
         "The new library opened on Monday with forty thousand books for children."),
        ("Smith, who had sold the mill, was fined by the court.",
         "Smith, who had sold the mill, was fined by the court, and Jones left the town."),
        ("Smith was fined by the court.", "Smith, who had sold the mill, was fined by the court."),
        ("The grains are small, but they look like millet.",
         "The grains are small. However, they look like millet."),
        # phrases, clauses and modifiers are left out
        ("The mill was sold to the bank.",
         "The mill was sold to the bank in May 1990 by the heirs."),
        ("The centre was flooded in April.", "The centre of the town was flooded in April."),
        ("The mill, which had burned, was sold.",
         "The mill, which had burned in 1980, was sold."),
        ("The mill was sold to the bank.", "In May 1990, the mill was sold to the bank."),
        ("The farmers sold the mill and bought a new dam.",
         "In 1990 the farmers sold the mill and bought a new dam."),
        ("The water mill was sold to the bank.",
         "The old water mill in the valley was sold to the bank."),
        ("The mill of the town was sold to the bank.",
         "The mill of the town was quickly sold to the bank."),
        ("The mill was rebuilt in 1990 by the farmers.",
         "The mill (a listed building) was rebuilt in 1990 by the farmers."),
        ("The farmers rebuilt the mill in 1990 and sold flour.",
         "The farmers rebuilt the mill in 1990, opened a dam, and sold flour."),
    ],
)  # fmt: skip
def test_the_words_of_a_sentence_in_their_order_are_proven(claim: str, text: str) -> None:
    assert restates(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # facts of two sentences, or of two subjects
        ("The mill of Smith was sold to the court of appeal.",
         "The mill of Smith burned in May. The land was sold to the court of appeal."),
        ("Smith was convicted by the court of appeal.",
         "Smith sued the mill, and Jones was convicted by the court of appeal."),
        ("The lawyer was convicted by the court of appeal.",
         "The lawyer of the old mill was fined, and Smith was convicted by the court of appeal."),
        ("Smith was convicted by the court of appeal.",
         "The lawyer of Smith was convicted by the court of appeal."),
        # roles
        ("The man bit the old dog in the garden.", "The old dog bit the man in the garden."),
        ("The mill was sold to the farmers in May.", "The mill was sold by the farmers in May."),
        ("The bank was owed money for the mill in May.",
         "The bank owed money for the mill in May."),
        ("They wrote the report about the mill in May.",
         "We wrote the report about the mill in May."),
        # what is said, possible or conditional is no fact
        ("The mill caused the flood in the valley.",
         "The mill may have caused the flood in the valley."),
        ("The mill caused the flood in the valley.",
         "The farmers claimed that the mill caused the flood in the valley."),
        ("The members pay for the repair of the mill.",
         "The members pay for the repair of the mill if the board agrees."),
        ("The mill burned because the rain fell in April.",
         "The mill burned, and the rain fell in April."),
        ("Pupils went home before noon.", "Almost all pupils went home before noon."),
        # words of a sentence, joined to nothing that it says
        ("The pyramids are used to irrigate the crops.",
         "They built pyramids and used aqueducts to irrigate the crops."),
        ("The host has a role, and the role has a host.", "The host has a role."),
        ("The text has two parts about keys.", "The text about keys follows in two parts."),
        ("The internal court fined the owner of the mill.",
         "The international court fined the owner of the mill."),
        # other subjects, objects and times
        ("The bank paid the farmers for the mill in May.",
         "The bank was paid by the farmers for the mill in May."),
        ("The mill is owned by the bank in town.", "The mill was owned by the bank in town."),
        ("Jones lost the case, and was sold to the bank.",
         "Jones lost the case, the mill closed, and was sold to the bank."),
        ("Smith sued it for damages in May.", "It sued Smith for damages in May."),
        ("The farmers sold 3 mills to the bank.", "The 3 farmers sold mills to the bank."),
        # joined otherwise
        ("The mill burned in the valley, so the rain fell in April.",
         "The mill burned in the valley, and the rain fell in April."),
        ("Half of the farmers sold grain to the mill.",
         "Half of the farmers who sold grain to the mill were paid."),
        ("Orders fell slightly as contacts suggested that sales were soft.",
         "Orders fell slightly as dealers cleared out models, but contacts suggested that sales "
         "were soft."),
    ],
)  # fmt: skip
def test_words_of_a_document_that_state_something_else_are_not(claim: str, text: str) -> None:
    assert not restates(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # the noun of a modifier, and the owner for what is owned
        ("The mill was fined by the court of appeal.",
         "The mill owner was fined by the court of appeal."),
        ("The mill was fined by the court of appeal.",
         "The mill's owner was fined by the court of appeal."),
        # modifiers that make something else of a noun
        ("The mayor resigned from the council in May.",
         "The former mayor resigned from the council in May."),
        ("The members pay for the repair of the mill.",
         "The non-members pay for the repair of the mill."),
        ("The baker sells wheat bread at the old mill.",
         "The baker sells wheat-free bread at the old mill."),
        # how many, how much, which of them
        ("The probes produced clear signals on wheat chromosomes.",
         "Sixteen of the 29 new oligo probes produced clear signals on wheat chromosomes."),
        ("The mill produced 80 tons of flour in May.",
         "The mill produced up to 80 tons of flour in May."),
        ("The mill produced 80 tons of flour in May.",
         "The mill produced as much as 80 tons of flour in May."),
        ("The mill is the largest in the whole valley.",
         "The mill is the third largest in the whole valley."),
        ("The law applies to mills in the valley.",
         "The law applies to mills in the valley with over forty workers."),
        ("The level should be three times the limit of the law.",
         "The level should be three to five times the limit of the law."),
        # under a negation, or a word like "all"
        ("There were no new reports of price pressures.",
         "There were no new reports of intensifying price pressures."),
        ("All mills in the valley were closed in May.",
         "All mills of Smith in the valley were closed in May."),
        # verbs on which others depend
        ("The mill caused the great flood in the valley.",
         "The farmers feared that the mill caused the great flood in the valley."),
        ("The mill caused the great flood in the valley.",
         "The farmers feared the mill caused the great flood in the valley."),
        ("The mill caused the great flood in the valley.",
         "The mill, the farmers feared, caused the great flood in the valley."),
        ("The council repaired the old mill in the valley.",
         "The council considered repairing the old mill in the valley."),
        ("The patients were treated with the new drug.",
         "The patients were to be treated with the new drug."),
        ("The mill had losses in the winter.", "The mill had avoided losses in the winter."),
        ("It is necessary for the use of the mill.",
         "It is necessary to repair machines for the use of the mill."),
        # labels and quoted statements
        ("The mill caused the great flood in the valley.",
         "Myth: The mill caused the great flood in the valley."),
        ("The mill caused the great flood in the valley.",
         'Smith wrote: "The mill caused the great flood in the valley." Nobody believed him.'),
        ("Smith had lied to the court of appeal.",
         "The voters believed that Smith had lied to the court of appeal."),
    ],
)  # fmt: skip
def test_what_the_rest_depends_on_may_not_be_left_out(claim: str, text: str) -> None:
    assert not restates(claim, text)
