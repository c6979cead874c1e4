"""How people and offices are written, as parts of patterns."""

from ragstone.reading.values.name_words import LONG_SURNAMES, SURNAMES

_HAN = "[\u4e00-\u9fff]"
SURNAME = f"(?:{'|'.join(LONG_SURNAMES)}|[{''.join(sorted(SURNAMES))}])"
PERSON = rf"(?:{SURNAME}{_HAN}{{1,2}}|{_HAN}{{1,6}}(?:·{_HAN}{{1,6}}){{1,2}})"
PEOPLE = rf"{PERSON}(?:(?:、|和|与|及|以及){PERSON})*"
"""One person or several."""
OFFICE = (
    "(?:校长|院长|所长|馆长|局长|部长|处长|科长|市长|县长|镇长|区长|州长|村长|台长|站长|厂长|店长|社长|团长|队长|船长|"
    "董事长|理事长|秘书长|会长|行长|主任|主席|总裁|总经理|经理|总监|主编|总编辑|导演|编剧|主教练|教练|首相|总理|总统|"
    "负责人|法定代表人|创始人|创办人|设计师|总工程师|工程师|建筑师|指挥|班主任|督导)"
)
BODY = "(?:公司|集团|银行|事务所|学校|部门?|处|科|组|室|中心|委员会|办公室|单位|分处|局|所|院|厂|行|厅|署|站)"
"""How an institution is called at its end."""
NAME = r"(?:(?:Dr|Sir|Mr|Mrs|Ms)\.? )?[A-Z][\w'’-]+(?: (?:[A-Z]\.|de|van|von|[A-Z][\w'’-]+)){1,3}"
NAMES = rf"{NAME}(?:(?:, (?:and )?| and ){NAME})*"
ROLE = (
    r"(?:director|teacher|head|headteacher|principal|president|chair|chairman|chairwoman|chairperson|mayor|curator|"
    r"manager|editor|founder|owner|captain|secretary|treasurer|conductor|dean|rector|governor|warden|librarian|"
    r"architect|designer|chancellor|minister|master|commissioner|inspector|officer|superintendent|leader|coach|chef|"
    r"nurse|landlord|landlady|tenant|lessee|lessor|clerk|chief|trustee|agent|assistant|contact)"
)
