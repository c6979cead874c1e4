"""Why a key-points verdict came out as it did, in the words of the contract's document."""

from ragstone.core.language import Text

PHRASES: dict[str, Text] = {
    "missed": Text("no gold key point is covered; the answer was {answer:q}", "未覆盖任何gold关键点，回答为{answer:q}"),
    "missed.note": Text(
        "no gold key point is covered (expected {points:or}); the answer only said {answer:q}",
        "未覆盖gold中的任何关键点（预期提及{points:or}），仅回答了{answer:q}",
    ),
    "silent": Text("no gold key point is covered; the answer was empty", "未覆盖任何gold关键点，回答为空"),
    "silent.note": Text(
        "no gold key point is covered (expected {points:or}); the answer was empty",
        "未覆盖gold中的任何关键点（预期提及{points:or}），回答为空",
    ),
    "no_source": Text(
        "faithfulness has nothing to compare with: nothing was retrieved, and the run has no documents (--documents)",
        "忠实度没有可对照的内容：没有检索内容，运行也没有文档（--documents）",
    ),
    "nothing.faithfulness": Text(
        "faithfulness was not measured: no answer came with retrieved contexts, or claims nothing; name the documents (--documents FOLDER)",
        "未测得忠实度：没有任何回答带有检索内容，或回答中没有断言；请指明文档（--documents 文件夹）",
    ),
    "near": Text(
        "{points:and} is mentioned, but denied, asked about, guessed, outdated or with roles swapped",
        "提到了{points:and}，但属于否定、提问、猜测、旧情况或角色互换",
    ),
    "changed": Text(
        "the answer gives {found:and} instead of {expected:and}",
        "回答给出的是{found:and}，而非{expected:and}",
    ),
    "wrong_document": Text(
        "cited the wrong document {wrong:and}, expected {documents:or}",
        "引用了错误文档 {wrong:and}，预期是 {documents:or}",
        "引用了錯誤文件 {wrong:and}，預期是 {documents:or}",
    ),
    "wrong_document.note": Text(
        "cited the wrong document {wrong:and}, expected {documents:or}",
        "引用了错误的文档 {wrong:and}，预期是 {documents:or}",
        "引用了錯誤的文件 {wrong:and}，預期是 {documents:or}",
    ),
    "no_citation": Text(
        "cited no document, expected {documents:or}",
        "未引用任何文档，预期是 {documents:or}",
        "未引用任何文件，預期是 {documents:or}",
    ),
    "also_wrong": Text(
        "the wrong document {wrong:and} was cited as well",
        "另外引用了错误的文档 {wrong:and}",
        "另外引用了錯誤的文件 {wrong:and}",
    ),
    "met_all": Text(
        "accuracy and citation are as expected: the answer covers every gold key point and cites the right document {documents:and}",
        "准确率和引用率均符合预期，回答完整覆盖gold关键点且引用了正确文档 {documents:and}",
        "準確率和引用率均符合預期，回答完整覆蓋gold關鍵點且引用了正確文件 {documents:and}",
    ),
    "met_some": Text(
        "accuracy and citation are as expected: the answer covers {stated} of {total} gold key points and cites the right document {documents:and}",
        "准确率和引用率均符合预期，回答覆盖gold关键点（{stated}/{total}）且引用了正确文档 {documents:and}",
        "準確率和引用率均符合預期，回答覆蓋gold關鍵點（{stated}/{total}）且引用了正確文件 {documents:and}",
    ),
    "met_all_uncited": Text(
        "accuracy is as expected: the answer covers every gold key point; no document was asked for",
        "准确率符合预期，回答完整覆盖gold关键点（该用例未要求引用）",
    ),
    "met_some_uncited": Text(
        "accuracy is as expected: the answer covers {stated} of {total} gold key points; no document was asked for",
        "准确率符合预期，回答覆盖gold关键点（{stated}/{total}；该用例未要求引用）",
    ),
}
