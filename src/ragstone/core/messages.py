"""Every sentence Ragstone itself says to a user, in each language, by code.

Contracts keep their own phrases beside their own code; this table is for everything else.
"""

from collections.abc import Mapping

from ragstone.core.language import Lang, Text

_MESSAGES: dict[str, Text] = {
    # settings and names
    "path.unusable": Text(
        "{file}: cannot be used: {problem}. Name another file or folder.",
        "{file}：无法使用：{problem}。请指定其他文件或文件夹。",
    ),
    "setting.file": Text(
        "{file}: the settings file cannot be read: {problem}. Fix it or remove it.",
        "{file}：无法读取设置文件：{problem}。请修正或删除该文件。",
    ),
    "setting.value": Text(
        "a setting is wrong: {problem}. Settings are: {names}; they come from {file}, RAGSTONE_* variables and flags.",
        "设置有误：{problem}。可用的设置：{names}；来源为 {file}、RAGSTONE_* 环境变量和命令行参数。",
    ),
    "setting.language": Text(
        "unknown language {found:q}. Languages: {known}.",
        "不支持语言 {found:q}。可用的语言：{known}。",
    ),
    "setting.whole": Text("{name} cannot be {value:q}. Give a whole number.", "{name} 不能是 {value:q}。请给出整数。"),
    "setting.number": Text("{name} cannot be {value:q}. Give a number.", "{name} 不能是 {value:q}。请给出数字。"),
    "setting.text": Text(
        "{name} cannot be {value:q}. Give a text in quotation marks.", "{name} 不能是 {value:q}。请给出带引号的文本。"
    ),
    "setting.switch": Text(
        "{name} cannot be {value:q}. Write 1 or 0.",
        "{name} 不能是 {value:q}。请写 1 或 0。",
    ),
    "flag.number": Text(
        "{flag} cannot be {value:q}. Give a number of 0 or more.",
        "{flag} 不能是 {value:q}。请给出不小于 0 的数。",
    ),
    "flag.count": Text("{value:q} is not a whole number of 1 or more", "{value:q} 不是大于等于 1 的整数"),
    "flag.margin": Text("{value:q} is not a number of 0 or more", "{value:q} 不是大于等于 0 的数"),
    "setting.concurrency": Text(
        "{name} cannot be {value:q}. Give a whole number of 1 or more.",
        "{name} 不能是 {value:q}。请给出大于等于 1 的整数。",
    ),
    "setting.timeout": Text(
        "{name} cannot be {value:q}. Give a number of seconds greater than 0.",
        "{name} 不能是 {value:q}。请给出大于 0 的秒数。",
    ),
    "judge.none": Text(
        "{run}: neither a judge nor labels were given. Name a judge (--judge chat:MODEL, or [judge] in ragstone.toml) or a file of labels (--labels FILE).",
        "{run}：既没有裁判，也没有标注。请指定裁判（--judge chat:模型，或 ragstone.toml 中的 [judge]），或标注文件（--labels 文件）。",
    ),
    "judge.foreign": Text(
        "{run}: this run was not made by you on this machine, so the judge it names is not asked. Name one (--judge chat:MODEL), give labels (--labels FILE), or add --trust-run if you trust its author.",
        "{run}：该运行不是您在本机生成的，因此不会向其写明的裁判提问。请指定裁判（--judge chat:模型）、给出标注（--labels 文件），或在信任生成者时加 --trust-run。",
    ),
    "judge.waited": Text(
        "waiting for the first reply of the judge {judge} …",
        "正在等待裁判 {judge} 的首个回复……",
    ),
    "judge.wordy": Text(
        "the judge {judge} begins its reply neither with yes nor with no, so it is asked for quotations (--judge-listen quote)",
        "裁判 {judge} 回复的首词既不是“是”也不是“否”，因此改用引文（--judge-listen quote）",
    ),
    "judge.unnamed": Text(
        '--judge names no judge, and ragstone.toml has no [judge]. Write --judge chat:MODEL, or judge = "chat:MODEL" in a table [judge].',
        '--judge 没有指明裁判，ragstone.toml 中也没有 [judge]。请写 --judge chat:模型，或在 [judge] 表中写 judge = "chat:模型"。',
    ),
    "judge.option_alone": Text(
        "-J sets an option of a judge, but no judge is asked here. Add --judge (without a value: the one of [judge] in ragstone.toml).",
        "-J 是裁判的选项，但这里没有要求裁判。请加上 --judge（不带值时用 ragstone.toml 的 [judge]）。",
    ),
    "judge.listen": Text(
        "listen cannot be {found:q}. Use margin (probabilities of the first token) or quote (a verdict with a quotation that is checked).",
        "listen 不能是 {found:q}。可选：margin（首词概率）或 quote（带可核对引文的结论）。",
    ),
    "judge.down": Text(
        "the judge {judge} cannot be asked: {failure}. Nothing was changed; try again when it answers.",
        "无法向裁判 {judge} 提问：{failure}。没有改动任何内容；待其恢复后重试。",
    ),
    "certify.down": Text(
        "the judge {judge} cannot be asked: {failure}. {n:reply is|replies are} kept for a day: certify again when it answers, and only what is missing is asked.",
        "无法向裁判 {judge} 提问：{failure}。已保留 {n} 个回复，一天内有效：待其恢复后重新认证，只会提问缺少的部分。",
    ),
    "judge.twice": Text(
        "{names:and} is in the jury twice and would agree with itself. Name different judges.",
        "陪审团中 {names:and} 出现了两次，只会与自己一致。请指定不同的裁判。",
    ),
    "judge.masked": Text(
        "the run does not keep keys: {names}. Name them again: -J {names}=…, or -J api_key_env=VARIABLE",
        "运行中不保存密钥：{names}。请重新给出：-J {names}=…，或 -J api_key_env=变量名",
    ),
    "judge.unknown": Text(
        "there is no judge named {name:q}. A judge is chat:MODEL, a [systems] table of ragstone.toml ({known:and}), or the kind of a plug-in (entry point ragstone.judges); installed: {kinds}.",
        "没有名为 {name:q} 的裁判。裁判可以是 chat:模型、ragstone.toml 的 [systems] 表（{known:and}），或插件的种类（入口点 ragstone.judges）；已安装：{kinds}。",
    ),
    "judge.plugin": Text(
        "the judge plug-in {kind} could not be connected: {problem}",
        "裁判插件 {kind} 无法连接：{problem}",
    ),
    "judge.module": Text(
        "the judge {name:q} cannot be loaded: {problem}. A judge of a module in this folder is MODULE:FUNCTION:ARGUMENT, such as {module}:connect:x; one that is installed, the name of its entry point (ragstone.judges) before the colon.",
        "裁判 {name:q} 无法载入：{problem}。当前文件夹中模块的裁判写作 模块:函数:参数，例如 {module}:connect:x；已安装的裁判在冒号前写其入口点（ragstone.judges）的名称。",
    ),
    "judge.no_judge": Text(
        "the judge plug-in {kind} returned a {found}, which is no judge: it lacks {missing:and}.",
        "裁判插件 {kind} 返回的 {found} 不是裁判：缺少 {missing:and}。",
    ),
    "judge.no_logprobs": Text(
        "the judge {judge} gives no probabilities (logprobs), so its margin cannot be measured. Use --judge-listen quote, or an endpoint that gives them.",
        "裁判 {judge} 不提供概率（logprobs），无法取得裕度。请用 --judge-listen quote，或换用提供概率的接口。",
    ),
    "judge.no_questions": Text(
        "the contract {contract} has no question a judge could decide. Judges decide for: key_points, legal_rag, prompt_task with a metric of type judged, and every contract with a rubric (-o rubric='…').",
        "契约 {contract} 没有可由裁判裁定的问题。裁判可用于：key_points、legal_rag、带 judged 类型指标的 prompt_task，以及带自定要求（-o rubric='…'）的任何契约。",
    ),
    "judge.no_quote": Text(
        "{n} said yes with a quotation that is not in the answer. Use a model that copies word for word.",
        "{n} 个回复判为“是”，但引文不在回答中。请换用能逐字摘录的模型。",
    ),
    "judge.idle_quote": Text(
        "{n} said yes with a quotation that says nothing about the point. Use a model that quotes what its verdict rests on.",
        "{n} 个回复判为“是”，但引文只是与要点无关的片言只字。请换用能摘录判定依据的模型。",
    ),
    "judge.values": Text(
        "{n} said yes, but a number or name of the point is not in the text: counted as open.",
        "{n} 个回复判为“是”，但文中没有要点的数字或名称：此类“是”不予采信。",
    ),
    "judge.near": Text("{n} were too close to the threshold to decide.", "{n} 个回复过于接近阈值，不能判定。"),
    "judge.unsure": Text("{n} said unsure.", "{n} 个回复自称不确定。"),
    "judge.unreadable": Text(
        "{n} were not a JSON object with verdict (yes, no, unsure) and quote. Use a model that follows the format.",
        "{n} 个回复不是含 verdict（yes、no、unsure）和 quote 的 JSON 对象。请换用遵守格式的模型。",
    ),
    "judge.no_word": Text(
        "{n} began with neither yes nor no. Use a model that follows the format, or --judge-listen quote.",
        "{n} 个回复的首词既不是“是”也不是“否”。请换用遵守格式的模型，或用 --judge-listen quote。",
    ),
    "judge.no_chances": Text(
        "{n} came without usable probabilities (logprobs): none, not a number, or above 1. Use --judge-listen quote.",
        "{n} 个回复没有概率（logprobs），或概率无法读取：不是数，或大于 1。请用 --judge-listen quote。",
    ),
    "judge.refused": Text(
        "{n} were refused by the endpoint's content filter. People can decide these: ragstone review RUN",
        "{n} 个提问被接口的内容过滤拒绝。可由人工判定：ragstone review RUN",
    ),
    "judge.raised": Text(
        "{n} ended in an error of the judge: {problem}. Fix it, then continue: ragstone judge RUN asks these again.",
        "{n} 个提问以裁判出错告终：{problem}。修正后继续：ragstone judge RUN 会重新提问。",
    ),
    "judge.odd": Text(
        "{n} were not a verdict: {problem}. decide() returns Heard(opinion=Opinion(verdict=…)) with yes, no or unsure, or a margin. Fix it, then continue: ragstone judge RUN asks these again.",
        "{n} 个提问返回的不是判定：{problem}。decide() 应返回 Heard(opinion=Opinion(verdict=…))，取 yes、no、unsure，或给出 margin。修正后继续：ragstone judge RUN 会重新提问。",
    ),
    "judge.version": Text(
        "{judge} reports version {found:q} now, not {known:q} as when judging began; verdicts of two versions never make one figure. Going on asks everything of the version that answers then, and a certificate must be of the same one. If the versions alternate and are the same to you, treat them as one: -J {both}",
        "{judge} 现在自称 {found:q}，开始裁判时为 {known:q}，而两个版本的判定不会合成一个数值；继续时将向届时作答的版本重新提出全部问题，证书也须针对同一版本；若它们轮流作答且对您并无区别，可视为同一版本：-J {both}",
    ),
    "certify.versions": Text(
        "the judge {judge} alternates between the versions {found:q} and {known:q}, and a certificate is for one version. Certify it when it reports one; if both are the same to you, treat them as one, here and when it judges: -J {both}",
        "裁判 {judge} 轮流自称 {found:q} 和 {known:q}，而证书只针对一个版本。请在其只报告一个版本时认证；若它们对您并无区别，可在认证和裁判时视为同一版本：-J {both}",
    ),
    "judge.running": Text(
        "{run}: the run is not finished. Continue it first: ragstone resume {run}",
        "{run}：运行尚未结束。请先继续运行：ragstone resume {run}",
    ),
    "judge.damaged": Text(
        "{file}:{line}: not a judge's reply: {problem}. Restore the file from a copy; or, if you trust the rest, keep its good lines and ask the others again: ragstone resume {run} --salvage --trust-run",
        "{file}:{line}：不是裁判的记录：{problem}。请从备份恢复；或在信任其余内容时，保留完好的行、重新提问其余部分：ragstone resume {run} --salvage --trust-run",
    ),
    "judge.damaged_part": Text(
        "{file}:{line}: not a judge's reply: {problem}. Remove the lines from there on, or the file; what is missing is asked again.",
        "{file}:{line}：不是裁判的记录：{problem}。请删除该行及其后的内容，或删除整个文件；缺少的会重新提问。",
    ),
    "judge.absent": Text(
        "{judges} cannot be asked ({problem}). Earlier verdicts count; open questions stay open.",
        "无法向 {judges} 提问（{problem}）。此前的结论仍然有效，未定的保持未定。",
    ),
    "judge.itself": Text(
        "{judge} judges its own answers. Models prefer their own words: use another model, and check its certificate.",
        "{judge} 在评判自己的回答。模型偏爱自己的说法：请换一个裁判，并查看其证书。",
    ),
    "open.values": Text(
        "yes, but a number or name of the point is not in the text (value check)",
        "判为“是”，但文中没有要点的数字或名称（数值核对）",
    ),
    "open.near": Text("too close to the threshold", "过于接近阈值"),
    "open.disagree": Text("the jury disagrees", "陪审团意见不一"),
    "open.unsure": Text("the judge says it is unsure", "裁判自称不确定"),
    "open.not_asked": Text("not asked, or only another version was asked", "尚未提问，或只由其另一版本作答"),
    "open.no_quote": Text("yes, but the quotation is not in the text", "判为“是”，但引文不在文中"),
    "open.idle_quote": Text("yes, but the quotation says nothing about the point", "判为“是”，但引文与要点无关"),
    "open.unreadable": Text("the reply could not be read", "回复无法读取"),
    "open.no_word": Text("the reply begins with neither yes nor no", "回复首词既不是“是”也不是“否”"),
    "open.no_chances": Text("the reply has no usable probabilities", "回复没有可读取的概率"),
    "open.refused": Text("refused by the content filter", "被内容过滤拒绝"),
    "open.raised": Text("the judge ended in an error", "裁判出错"),
    "open.odd": Text("the reply is not a verdict", "返回的不是判定"),
    "labels.strays": Text(
        "{file} has {n:label|labels} for questions that this run does not ask; they change nothing here. Labels follow the answer's text: a new answer needs a new label, of the same case, point and kind.",
        "{file} 中有 {n} 条标注所针对的问题不在本次运行中，在此不起作用。标注跟随回答原文：新的回答需要新的标注，且用例、要点和种类（kind）须相同。",
    ),
    "labels.lacking": Text(
        "{n:row that was drawn is|rows that were drawn are} missing from the labels: counted as undecided, like blank rows. Hand in the whole table; leaving rows out changes the rate.",
        "与这些标注一同抽取的行中，有 {n} 行未在其中：与留空的行一样，按未判定计。请交回整张表：去掉部分行后得出的就是另一个比率。",
    ),
    "labels.asked.states": Text(
        "Does the answer state this point? stated = yes; absent = no; denied = it says the opposite",
        "回答是否说出这一要点？stated = 是；absent = 否；denied = 说的与之相反",
    ),
    "labels.asked.declines": Text(
        "Does the answer decline to answer? stated = yes, it declines; absent = no, it answers",
        "回答是否拒绝作答？stated = 是，拒绝作答；absent = 否，作了回答",
    ),
    "labels.asked.supported": Text(
        "Does the source say what this sentence (point) says? stated = yes; absent = no; denied = it says the opposite",
        "来源（source）是否支持这句话（point）？stated = 支持；absent = 不支持；denied = 与之相反",
    ),
    "labels.asked.equivalent": Text(
        "Is it the same answer as this reference (point)? stated = yes; absent = no",
        "与参考答案（point）是否一致？stated = 一致；absent = 不一致",
    ),
    "labels.asked.meets": Text(
        "Does the answer meet this rubric (point)? stated = yes; absent = no",
        "回答是否符合这一标准（point）？stated = 符合；absent = 不符合",
    ),
    "labels.named": Text("  {names}", "  {names}"),
    "labels.no_cases": Text(
        "{n:label is|labels are} about cases that are not in the run; such labels do not count.",
        "{n} 条标注所针对的用例不在该运行中，不予采用。",
    ),
    "labels.no_kinds": Text(
        "{n:label is|labels are} of another kind of question than the run asks about that point: add the column or field kind (states where there is none; declines, equivalent, meets, supported); such labels do not count.",
        "{n} 条标注的问题种类与该运行就此要点所问的不同：请加上列或字段 kind（没有时视为 states；另有 declines、equivalent、meets、supported）；此类标注不予采用。",
    ),
    "labels.no_points": Text(
        "{n:label is|labels are} about points that their case in the run does not have, character for character; such labels do not count.",
        "{n} 条标注的要点与该运行中用例的要点不一致（须逐字相同），不予采用。",
    ),
    "labels.no_answers": Text(
        "{n:label is|labels are} about answers that are not in the run: its case has another answer, compared character for character; such labels do not count.",
        "{n} 条标注所针对的回答不在该运行中：该用例的回答与之不同（须逐字相同），不予采用。",
    ),
    "labels.equal": Text(
        "{n:label repeats|labels repeat} the question, point and answer of another one; together they count once.",
        "{n} 条标注与其他标注的问题、要点和回答相同，只计一次。",
    ),
    "labels.contrary": Text(
        "{n:label contradicts|labels contradict} another one of the same question, point and answer; none of these counts.",
        "{n} 条标注与问题、要点和回答均相同的其他标注结论相反，均不予采用。",
    ),
    "labels.disagree": Text(
        'reviewers disagree about {n:question|questions}: their labels decide nothing there (the verdict of rule or judge stands) until a label with "settles": true does.',
        '评审人对 {n} 个问题意见不一：在带 "settles": true 的标注作出定论之前，这些问题视为人工未判定，仍按规则和裁判的结论计。',
    ),
    "merge.judged": Text(
        "{first} and {second} were judged differently ({names}): figures of both would mix two judges. Have one judge decide both, under one certificate (ragstone judge PART --judge …), then merge.",
        "{first} 与 {second} 的裁判方式不同（{names}）：合并后的数值会混合两种裁判。请用同一裁判、同一证书重新裁判（ragstone judge 部分 --judge …），然后再合并。",
    ),
    "labels.column": Text(
        "{file}: there is no column or key {name:q}. Add it (stated, absent, denied, unsure), or rename the one that holds the verdicts. Nothing was changed.",
        "{file}：没有名为 {name:q} 的列或键。缺少它就没有任何判定；请补上（stated、absent、denied、unsure），或为判定所在的列改名。未作任何更改。",
    ),
    "labels.cut": Text(
        "{file}:{line}: the last line is cut short and was left out; one label may be missing.",
        "{file}:{line}：最后一行不完整，未予采用；可能缺少一条标注。",
    ),
    "labels.cut_replace": Text(
        "{file}:{line}: the last line is cut short. With --replace-labels it would be forgotten for good: restore the file, or delete that line. Nothing was changed.",
        "{file}:{line}：最后一行不完整。使用 --replace-labels 会将其永久丢弃：请恢复该文件，或删除该行。未作任何更改。",
    ),
    "labels.replace_nothing": Text(
        "none of the {n:label|labels} given decides anything about an answer of {run}: with --replace-labels its own {known} would be forgotten. Check the file. Nothing was changed.",
        "给出的 {n} 条标注均未对 {run} 的回答作出判定：使用 --replace-labels 会丢掉它已有的 {known} 条。请检查文件。未作任何更改。",
    ),
    "labels.ruled": Text(
        "{n:label is|labels are} about points that a rule decides, and certify nothing: a judge is only asked what the rules leave open.",
        "{n} 条标注针对规则已判定的要点，不用于认证：只有规则未能确定的才会交给裁判。",
    ),
    "labels.against_rules": Text(
        "people contradict the rules in {n} of {of:labelled point|labelled points} that a rule decides:",
        "在规则已判定并有标注的 {of} 个要点中，人工与规则不符 {n} 个：",
    ),
    "gate.rules_contradicted_both": Text(
        "{figure} rests on verdicts of rules that people contradict: of {n} labelled points that a rule decides they hold {right} (lower end {low}, at least {least} is needed). Correct the points or their synonyms, or gate on the estimated figure.",
        "{figure} 所依据的规则判定与人工不符：{n} 个规则已判定并有标注的要点中，人工认同 {right} 个（下限 {low}，至少需要 {least}）。请修正要点或同义词，或改用估计的指标设置门禁。",
    ),
    "gate.rules_contradicted_yes": Text(
        "{figure} rests on verdicts of rules that people contradict: of {n} labelled points that a rule calls stated they hold {right} (lower end {low}, at least {least} is needed). Correct the points or their synonyms, or gate on the estimated figure.",
        "{figure} 所依据的规则判定与人工不符：{n} 个规则判为已陈述并有标注的要点中，人工认同 {right} 个（下限 {low}，至少需要 {least}）。请修正要点或同义词，或改用估计的指标设置门禁。",
    ),
    "gate.rules_contradicted_no": Text(
        "{figure} rests on verdicts of rules that people contradict: of {n} labelled points that a rule calls not stated they hold {right} (lower end {low}, at least {least} is needed). Correct the points or their synonyms, or gate on the estimated figure.",
        "{figure} 所依据的规则判定与人工不符：{n} 个规则判为未陈述并有标注的要点中，人工认同 {right} 个（下限 {low}，至少需要 {least}）。请修正要点或同义词，或改用估计的指标设置门禁。",
    ),
    "labels.undecided": Text(
        "{n:question|questions} are labelled unsure or blank: they certify nothing. If these are the hard ones, the judge looks better than it is.",
        "有 {n} 个问题标为 unsure 或留空，不用于认证。若这些恰是难题，裁判会显得比实际更好。",
    ),
    "gate.not_judged": Text(
        "{figure}: the run has neither judgements nor labels. Judge it first: ragstone judge RUN --judge chat:MODEL",
        "{figure}：该运行尚未经过裁判，也没有标注。请先执行：ragstone judge RUN --judge chat:模型",
    ),
    "gate.judging_cut": Text(
        "{figure}: the judging of this run was interrupted before its figures were made; the judge's replies are kept. Continue: ragstone judge RUN",
        "{figure}：对该运行的裁判在得出数值之前中断，裁判已有的回复均已保留。请继续：ragstone judge RUN",
    ),
    "gate.elsewhere": Text(
        "{figure}: what judges and people decided in run {run} ({files:and}) was not written by you on this machine, or was changed since. If you trust its author, add --trust-run; the verdict then says so. Machines that share a key count as one (SECURITY.md).",
        "{figure}：运行 {run} 中裁判与人工的判定（{files:and}）并非由您在本机写入，或此后被改动。若信任判定者，请加 --trust-run，结论中会注明。各机器共用同一密钥时视为一台（见 SECURITY.md）。",
    ),
    "gate.elsewhere_agreed": Text(
        "run {run}: judgements and labels ({files:and}) were made elsewhere and count by --trust-run, or because you agreed",
        "运行 {run}：判定与标注（{files:and}）在别处作出，因 --trust-run 或您的同意而计入",
    ),
    "gate.certificate_lent": Text(
        "the certificate of {judges:and} was made by somebody else, or on another machine; its seal fits its contents",
        "{judges:and} 的证书由他人或在其他机器上生成；其封印与内容相符",
    ),
    "gate.not_labelled": Text(
        "{figure}: the run has no labels of people. Draw cases (ragstone judge RUN --draw 100), label them, and take the labels in: ragstone judge RUN --labels to-label.csv",
        "{figure}：该运行没有人工标注。请抽取用例（ragstone judge RUN --draw 100），标注后导入：ragstone judge RUN --labels to-label.csv",
    ),
    "gate.judge_unasked": Text(
        "{figure} lies between {value} and {most}: {not_asked:question|questions} could not be put to the judge, or only to another version of it. Go on: ragstone judge RUN",
        "{figure} 在 {value} 与 {most} 之间：有 {not_asked} 个问题未能向裁判提问，或只由其另一版本作答。继续：ragstone judge RUN",
    ),
    "gate.judge_unasked_drop": Text(
        "{figure}: {not_asked:question|questions} of the two runs could not be put to the judge, or only to another version of it. Go on: ragstone judge RUN",
        "{figure}：两次运行中有 {not_asked} 个问题未能向裁判提问，或只由其另一版本作答。继续：ragstone judge RUN",
    ),
    "gate.labels_open": Text(
        '{figure} lies between {least} and {most}: people did not decide {open} of {drawn} drawn cases. Decide these, too (they are `unsure` or blank in the labels, or reviewers disagree until a label with "settles": true): ragstone judge RUN --labels to-label.csv',
        '{figure} 在 {least} 与 {most} 之间：抽取的 {drawn} 个用例中有 {open} 个无人判定。请也判定这些用例（标注中为 unsure 或空白，或评审人意见不一，须由带 "settles": true 的标注作出定论）：ragstone judge RUN --labels to-label.csv',
    ),
    "gate.labels_open_drop": Text(
        "{figure} {first} to {second}: a drop of {value}{interval}, n = {n}; people did not decide {open:more case|more cases} drawn in both runs, which could make it more than {limit} or less. Decide these, too: ragstone judge RUN --labels to-label.csv",
        "{figure} 由 {first} 到 {second}：下降 {value}{interval}，n = {n}；两次运行中另有 {open} 个抽取的用例无人判定，足以使其超过或低于 {limit}。请也判定这些用例：ragstone judge RUN --labels to-label.csv",
    ),
    "labels.foreign": Text(
        "{n:label was|labels were} drawn in another run or from other answers: what they decide counts, and they make no estimate of this run. Draw from it: ragstone judge RUN --draw 100",
        "有 {n} 条标注抽取自其他运行或其他回答：其判定有效，但不能用于估计本次运行。请从本次运行抽取：ragstone judge RUN --draw 100",
    ),
    "gate.foreign_labels": Text(
        "{figure} rests on {n:label|labels} drawn from this run; {foreign} more were drawn in another run or from other answers, and say nothing about its rate. Draw from this run: ragstone judge RUN --draw 100",
        "{figure} 只依据 {n} 条从本次运行抽取的标注；另有 {foreign} 条抽取自其他运行或其他回答，不能说明其比率。请从本次运行抽取：ragstone judge RUN --draw 100",
    ),
    "gate.few_labels": Text(
        "{figure} rests on drawn labels on {n:question|questions}; at least {least} are needed. Label more cases.",
        "{figure} 只依据 {n} 个问题的抽样标注；至少需要 {least} 个。请增加标注。",
    ),
    "gate.few_pairs": Text(
        "{figure}: {n:case has|cases have} labels on both runs' answers; at least {least} are needed. Draw the same cases of both: ragstone judge RUN --draw 100 --beside BASELINE",
        "{figure}：只有 {n} 个用例在两次运行中的回答都有标注；至少需要 {least} 个。请从两者中抽取相同的用例：ragstone judge RUN --draw 100 --beside 基线",
    ),
    "standing.none": Text("no certificate (ragstone certify LABELS)", "没有证书（ragstone certify 标注）"),
    "standing.other_name": Text(
        "the certificate is for the same judge under another name (model_id); certify it under this one",
        "证书针对的是同一裁判的另一名称（model_id）；请以此名称重新认证",
    ),
    "standing.other": Text(
        "the certificate is for this name with another endpoint, model, prompt or parameters; certify it again",
        "证书针对的是同名但接口、模型、提示词或参数不同的裁判；请重新认证",
    ),
    "standing.other_endpoint": Text(
        "the certificate is for this name at another endpoint (base_url); certify it again",
        "证书针对的是同名但接口（base_url）不同的裁判；请重新认证",
    ),
    "standing.other_model": Text(
        "the certificate is for another model at this endpoint; certify this one",
        "证书针对的是同一接口的另一个模型；请认证此模型",
    ),
    "standing.other_way": Text(
        "the certificate is for another way of listening (margin or quote); listen as it was certified (--judge-listen), or certify it again",
        "证书针对的是另一种读取方式（margin 或 quote）；请用认证时的方式（--judge-listen），或重新认证",
    ),
    "standing.other_tongue": Text(
        "the certificate is for prompts in another language: prompts follow the language of the questions, and those it was certified with were in another one; certify it with labels of this run",
        "证书针对的是另一种语言的提示词：提示词跟随问题的语言，而认证时的问题是另一种语言；请用本次运行的标注认证",
    ),
    "standing.other_parameters": Text(
        "the certificate is for this model with other parameters; certify it again",
        "证书针对的是同一模型但参数不同的裁判；请重新认证",
    ),
    "standing.versions": Text(
        "the endpoint reported several versions while it was examined; certify it again when it reports one",
        "认证期间接口报告了多个版本；待其版本稳定后请重新认证",
    ),
    "standing.alarm": Text(
        "it has drifted since it was certified: it answers anchors of its certificate otherwise; certify it again, then judge the run again",
        "裁判在认证之后已漂移：它对证书锚点的回答已不同；请重新认证，然后对该运行重新裁判",
    ),
    "standing.owed": Text(
        "it was not checked for drift after its last replies: ragstone judge RUN",
        "裁判最近的回复之后尚未检查漂移：ragstone judge RUN",
    ),
    "standing.missed": Text(
        "it missed probes ({probes}) that it passed when it was certified (ragstone judge RUN --probe found it); certify it again, then judge the run again",
        "裁判未能通过认证时已通过的探测（{probes}，由 ragstone judge RUN --probe 发现）；请重新认证，然后对该运行重新裁判",
    ),
    "standing.edited": Text(
        "its certificate was changed by hand since it was made, or is another judge's; certify it again (ragstone certify), then judge the run again",
        "其证书生成后被手工改动，或属于另一裁判；请重新认证（ragstone certify），然后对该运行重新裁判",
    ),
    "standing.unsealed": Text(
        "its certificate has no seal: it was made before certificates had one, or lost it; certify it again (ragstone certify), then judge the run again",
        "其证书没有封印：生成于采用封印之前，或封印已丢失；请重新认证（ragstone certify），然后对该运行重新裁判",
    ),
    "standing.gone": Text(
        "its certificate is no longer there; certify it again, or run the gate where the run was judged",
        "其证书已不存在；请重新认证，或在进行裁判的目录中运行门禁",
    ),
    "standing.broken": Text(
        "its certificate cannot be read; remove the file and certify it again",
        "其证书无法读取；请删除该文件并重新认证",
    ),
    "standing.changed": Text(
        "its certificate was replaced since, with another threshold or after a change of the judge; judge the run again (ragstone judge RUN)",
        "其证书此后已重新生成，阈值不同，或裁判已改变；请对该运行重新裁判（ragstone judge RUN）",
    ),
    "standing.uncarried": Text(
        "the run does not hold its certificate; judge the run again (ragstone judge RUN), which asks nothing twice",
        "该运行中没有其证书；请对该运行重新裁判（ragstone judge RUN），已有的结论不会重新提问",
    ),
    "standing.undecided": Text(
        "less than half of its replies about the certifying labels decide anything",
        "对用于认证的标注，裁判能作出判定的不到一半",
    ),
    "standing.always_yes": Text(
        "it said yes to everything; use another judge",
        "它对所有问题都判“是”；请换用其他裁判",
    ),
    "standing.always_no": Text(
        "it said no to everything; use another judge",
        "它对所有问题都判“否”；请换用其他裁判",
    ),
    "standing.chance": Text(
        "it separates stated points from others no better than chance, which no number of labels changes; use another judge",
        "它区分已陈述与未陈述要点的能力不高于随机，增加标注也无济于事；请换用其他裁判",
    ),
    "standing.few_labels": Text(
        "it was right about every label, but they cover too few questions: certifying needs 22 questions of each kind and uses half of them; label answers to more questions",
        "所有标注都判对了，但涉及的问题太少，不足以认证：两类各需 22 个问题用于认证，而只有一半用于认证；请标注更多问题的回答",
    ),
    "standing.few_asked": Text(
        "too few probes were asked for; leave --probes out",
        "要求的探测太少；请去掉 --probes",
    ),
    "standing.unsure_probes": Text(
        "too many of its replies to probes decide nothing, and prove nothing; use another judge",
        "它对探测的回复大多不能作出判定，不能说明任何问题；请换用其他裁判",
    ),
    "standing.prompt": Text(
        "the certificate is for another prompt; certify it again", "证书针对的是另一个提示词；请重新认证"
    ),
    "standing.rules": Text(
        "it was certified under other rules for turning replies into verdicts; certify it again and judge the run again",
        "认证之后，由答复得出判定的规则已经改变；请重新认证，并对该运行重新裁判",
    ),
    "standing.version": Text(
        "the endpoint reports another version than when it was certified; certify it again, then judge the run again",
        "接口报告的版本与认证时不同；请重新认证，然后对该运行重新裁判",
    ),
    "standing.kind": Text(
        "the certificate is for another kind of question; label some of this kind and certify it",
        "证书针对的是另一类问题；请标注此类问题并重新认证",
    ),
    "standing.sensitivity": Text(
        "it may miss too much of what is stated: the lower end of its sensitivity is below 0.85 (more labels, or a better judge)",
        "可能漏掉过多已陈述的内容：灵敏度下限低于 0.85（增加标注，或换更好的裁判）",
    ),
    "standing.specificity": Text(
        "it may credit too much of what is not stated: the lower end of its specificity is below 0.85 (more labels, or a better judge)",
        "可能误认过多未陈述的内容：特异度下限低于 0.85（增加标注，或换更好的裁判）",
    ),
    "standing.probes": Text(
        "it failed probes ({probes}), which judge.json counts; use another judge, or let people decide",
        "未通过探测（{probes}），各类数目见 judge.json；请换用其他裁判，或由人工判定",
    ),
    "standing.few_probes": Text(
        "not enough rows for its probes: 50 each of denials, changed numbers and orders are needed; label more rows",
        "构造探测的数据不足：否定、改动数字、回答中的指令各需 50 条；请增加标注",
    ),
    "option.rubric": Text(
        "the option rubric must say in words what an answer has to meet: -o rubric='The tone is polite.'",
        "选项 rubric 须用文字写明回答应满足的要求：-o rubric='语气礼貌'",
    ),
    "certify.few": Text(
        "the labels that can be used cover {n:question|questions}, and at least {least} are needed; for a trusted judge about 100, half of them stated. Label answers to more questions, or name the run they are about (--run).",
        "可用的标注只涉及 {n} 个问题，至少需要 {least} 个；要使裁判可信约需 100 个，其中一半为已陈述。请标注更多问题的回答，或指明其所属的运行（--run）。",
    ),
    "certify.few_of": Text(
        "only {n} of {of} labels can be used, and at least {least} are needed: {strays} are about answers that are not there, {equal} repeat another one, {disputed} contradict each other{names}. Label other answers, or name the run they are about (--run).",
        "{of} 条标注中只有 {n} 条可用，至少需要 {least} 条：{strays} 条找不到所针对的回答，{equal} 条与其他标注重复，{disputed} 条互相矛盾{names}。请标注其他回答，或指明其所属的运行（--run）。",
    ),
    "certify.one_kind": Text(
        "all {n:label|labels} say {kind}: how often a judge is wrong about the others cannot be measured. Label some of the other kind, too.",
        "全部 {n} 条标注都是 {kind}：无法得知裁判在另一类上的错误率。请也标注另一类。",
    ),
    "certify.one_kind_of": Text(
        'the {n:label|labels} that can be used all say {kind}; {disputed} more contradict each other and do not count{names}. Settle these (a label with "settles": true), or label some of the other kind, too.',
        '可用的 {n} 条标注都是 {kind}；另有 {disputed} 条互相矛盾，不予采用{names}。请裁决（带 "settles": true 的标注即为定论），或也标注另一类。',
    ),
    "certify.file": Text(
        "{file}: not a certificate: {problem}. Remove it and certify the judge again.",
        "{file}：不是证书：{problem}。请删除后重新认证裁判。",
    ),
    "labels.none": Text(
        "there are no labels: {file} does not exist. Label answers on the page (ragstone review RUN) or in a table (ragstone judge RUN --draw 100), or name the file of the labels.",
        "没有标注：{file} 不存在。请在页面上标注（ragstone review RUN），或用表格标注（ragstone judge RUN --draw 100），或指明标注文件。",
    ),
    "labels.no_text": Text(
        "{n:label is|labels are} about answers whose text was not found: name the run they are from (--run RUN), or give answer_text with each label.",
        "有 {n} 条标注找不到回答原文：请指明其所属的运行（--run RUN），或在标注中给出 answer_text。",
    ),
    "labels.file": Text(
        "{file}: not a label: {problem}. A line is an object with case, point, answer (its hash, or answer_text), verdict (stated, absent, denied, unsure), reviewer, and kind where it is about no point (declines, equivalent, meets, supported); a CSV file has columns of these names.",
        "{file}：不是标注：{problem}。每行是一个对象，含 case、point、answer（哈希值，或 answer_text）、verdict（stated、absent、denied、unsure）和 reviewer，所问不是要点时还有 kind（declines、equivalent、meets、supported）；CSV 文件用同名的列。",
    ),
    "labels.lacks": Text("it lacks {names:and}", "缺少 {names:and}"),
    "labels.word": Text("{field} is {found:q}, not {known:or}", "{field} 为 {found:q}，应为 {known:or}"),
    "labels.text": Text("{file}: {problem}.", "{file}：{problem}。"),
    "people.file": Text(
        "{file}: people cannot be read: {problem}. It has tables [people.NAME] with role (viewer, reviewer, runner, admin) and token_sha256; `ragstone people add NAME --role ROLE` writes them.",
        "{file}：无法读取人员：{problem}。应含 [people.姓名] 表，其中有 role（viewer、reviewer、runner、admin）和 token_sha256；用 `ragstone people add 姓名 --role 角色` 写入。",
    ),
    "people.name": Text(
        "{file}: {name:q} is not a valid name: letters, digits, spaces and . @ + - _, at most 60.",
        "{file}：{name:q} 不是可用的姓名：可用字母、数字、空格和 . @ + - _，最多 60 个字符。",
    ),
    "people.none": Text(
        "{file}: lists neither people nor a proxy. Add someone: ragstone people add NAME --role ROLE",
        "{file}：其中没有人员，也没有代理。请添加：ragstone people add 姓名 --role 角色",
    ),
    "people.unknown": Text("{file}: there is no {name:q} in it.", "{file}：其中没有 {name:q}。"),
    "page.role": Text(
        "{name} may not do this: it needs the role {role}.",
        "{name} 无权进行此操作：需要 {role} 角色。",
    ),
    "page.no_review": Text(
        "{run}: the contract of this run has no questions for people to decide.",
        "{run}：该运行的契约没有可由人判定的内容。",
    ),
    "page.label": Text("{name:q} has not labelled this.", "{name:q} 没有判定过这一项。"),
    "labels.format": Text(
        "{file}: labels can be written as {formats}.",
        "{file}：标注可写为 {formats}。",
    ),
    "labels.no_rows": Text(
        "{file}: holds no list of rows to fix.",
        "{file}：其中没有可修正的数据行列表。",
    ),
    "labels.damaged": Text(
        "{file}: the checksum does not fit the line: it was damaged or edited. Restore the file from a copy; labels are changed with `ragstone labels import`, never by editing lines.",
        "{file}：校验和与该行不符：该行已损坏或被改动。请用备份恢复该文件；修改标注请用 `ragstone labels import`，不要直接改动其中的行。",
    ),
    "offline.refused": Text(
        "offline: {who} tried to connect to {host}, which was refused. Allowed: {allowed}. Add it to RAGSTONE_OFFLINE_ALLOW, or leave offline mode.",
        "离线模式：{who} 试图连接 {host}，已拒绝。允许：{allowed}。可将其加入 RAGSTONE_OFFLINE_ALLOW，或关闭离线模式。",
    ),
    "offline.place": Text(
        "offline_allow: {place:q} is not an address, network or host name. Write 10.0.0.0/8, 192.168.1.5, host.name or .example.org; no port, no scheme.",
        "offline_allow：{place:q} 不是地址、网段或主机名。请写成 10.0.0.0/8、192.168.1.5、host.name 或 .example.org，不含端口和协议。",
    ),
    "offline.told": Text("offline: refused {n:time|times}: {who} → {host}", "离线模式：拒绝 {n} 次：{who} → {host}"),
    "name.unknown": Text(
        "there is no {kind} named {name:q}.{near:near} Known: {known}. A plug-in adds one through the entry point group {group:q}.",
        "没有名为 {name:q} 的{kind:told}。{near:near}可用：{known}。插件可通过入口点组 {group:q} 添加。",
    ),
    "name.broken": Text(
        "the {kind} {name:q} cannot be loaded from {target:q}: {problem}",
        "{kind:told} {name:q} 无法从 {target:q} 载入：{problem}",
    ),
    # engines
    "engine.spec": Text(
        "the engine {engine:q} cannot be understood: {problem}. Examples: inproc  process:4  dask://host:8786",
        "无法理解引擎 {engine:q}：{problem}。示例：inproc  process:4  dask://host:8786",
    ),
    "engine.both": Text(
        "--workers N is short for --engine process:N. Give one of them.",
        "--workers N 是 --engine process:N 的简写。请只给出一个。",
    ),
    "engine.extra": Text(
        "the engine {engine:q} needs {package}, which is not installed. Install it with: pip install 'ragstone[{extra}]'",
        "引擎 {engine:q} 需要 {package}，但尚未安装。请运行：pip install 'ragstone[{extra}]'",
    ),
    "engine.gone": Text(
        "the engine {engine} cannot be reached: {problem}. Is its scheduler running, and does it have workers? What was finished is kept.",
        "无法连接引擎 {engine}：{problem}。调度器是否在运行，是否有工作进程？已完成的部分会保留。",
    ),
    "engine.worker": Text(
        "a worker of {engine} cannot load Ragstone: {problem}. Install the same version of Ragstone on every worker.",
        "{engine} 的工作进程无法载入 Ragstone：{problem}。请在每个工作进程上安装同一版本的 Ragstone。",
    ),
    "engine.version": Text(
        "a worker has another scorer than this process ({theirs} there, {ours} here), so its scores cannot be used. Install the same version of Ragstone and of its plug-ins on every worker.",
        "工作进程的评分器与当前进程不同（对方 {theirs}，本地 {ours}），其分数不可用。请在每个工作进程上安装同一版本的 Ragstone 及插件。",
    ),
    "engine.path": Text(
        "a worker does not see {file}: {problem}. Datasets, documents, option files and runs must lie on a path that every worker shares.",
        "工作进程看不到 {file}：{problem}。样例集、文档、选项文件和运行必须位于所有工作进程共享的路径。",
    ),
    "engine.lost": Text(
        "{engine}: {shard} was given up: {deaths} workers died on it. Out of memory? Try fewer workers; what was finished is kept.",
        "{engine}：放弃 {shard}：已有 {deaths} 个工作进程因此终止。内存不足？请减少工作进程；已完成的部分会保留。",
    ),
    "engine.bug": Text("{engine}: {shard} failed: {problem}", "{engine}：{shard} 失败：{problem}"),
    "shard.spec": Text(
        "--shard {shard:q} cannot be understood. Write I/N: the I-th of N parts, such as 2/4.",
        "无法理解 --shard {shard:q}。请写成 I/N：N 份中的第 I 份，例如 2/4。",
    ),
    "shard.many": Text(
        "--shard {shard}: there are more parts than cases ({cases}).", "--shard {shard}：份数多于用例数（{cases}）。"
    ),
    "shard.gate": Text(
        "--shard and --gate-on cannot be combined. Run the gate set first, then the parts.",
        "--shard 与 --gate-on 不能同时使用。请先运行门禁集，再运行各部分。",
    ),
    # merging
    "rescore.moved": Text(
        "{file}: the question that was answered as {case} is at another position now, so its answer would go to the wrong question: these cases are named by their position. Add new cases at the end, or run the dataset again.",
        "{file}：录制答案时编号为 {case} 的问题现在位于别处，重新评分会把答案配给错误的问题：这些用例以其位置命名。请把新用例加在末尾，或重新运行该样例集。",
    ),
    "rescore.replaced": Text(
        "{n:case|cases} named by position: the question is another now, so the recorded answer is not used and counts as not asked. Run the dataset again.",
        "{n} 个以位置命名的用例现在是另一个问题：原来的回答不属于它们，按未提问计。如需回答，请重新运行该样例集。",
    ),
    "merge.none": Text("there is nothing to merge. Name the parts of a run.", "没有可合并的运行。请给出各部分。"),
    "merge.whole": Text(
        "{run} is not a part of a run: it was not made with --shard.",
        "{run} 不是某次运行的一部分：它没有使用 --shard。",
    ),
    "merge.differs": Text(
        "{second} is not a part of the same run as {first}: they differ in {names}. Nothing was written.",
        "{second} 与 {first} 不属于同一次运行：{names} 不同。未写入任何内容。",
    ),
    "merge.twice": Text(
        "part {shard} was given twice: {first} and {second}. Name each part once.",
        "第 {shard} 份出现两次：{first} 与 {second}。每一份只能给出一次。",
    ),
    "merge.altered": Text(
        "{run}: {files:and} changed after this part had ended, and a merged run would hide it. See what changed with: ragstone verify; then restore the part, or run it again.",
        "{run}：该部分结束后，{files:and} 被改动过，合并会掩盖此事。请用 ragstone verify 查看改动，然后恢复该部分或重新运行。",
        "{run}：該部分結束後，{files:and} 被改動過，合併會掩蓋此事。請用 ragstone verify 查看改動，然後恢復該部分或重新執行。",
    ),
    "merge.missing": Text(
        "parts are missing or unfinished: {shards}. Run or resume them, or allow it with --partial.",
        "缺少或未完成的部分：{shards}。请运行或继续它们，或用 --partial 允许不完整。",
    ),
    "merge.span": Text(
        "{run}: part {shard} was cut from a dataset with another number of cases than the {cases} there are now.",
        "{run}：第 {shard} 份切分时的用例数与现在的 {cases} 不同。",
    ),
    "run.no_dataset": Text(
        "{run}: the dataset {file} is neither in {here} nor beside the runs in {beside}. Put it back, or change to the folder that holds it.",
        "{run}：在 {here} 和运行目录旁的 {beside} 中都找不到样例集 {file}。请将其放回，或切换到其所在的文件夹。",
    ),
    # datasets
    "dataset.missing": Text(
        "{file}: no such file or folder. Give the path of a dataset.{near:near}",
        "{file}：文件或文件夹不存在。请给出样例集路径。{near:near}",
    ),
    "dataset.directory": Text(
        "{file} is a folder, but this contract reads a file (JSONL, one JSON object per line).",
        "{file} 是文件夹，而该契约需要文件（JSONL，每行一个 JSON 对象）。",
    ),
    "dataset.unreadable": Text("{file}: cannot be read: {problem}", "{file}：无法读取：{problem}"),
    "dataset.extra": Text(
        "{file}: reading this needs {package}, which is not installed. Install it with: pip install 'ragstone[{extra}]'",
        "{file}：读取该文件需要 {package}，但尚未安装。请运行：pip install 'ragstone[{extra}]'",
    ),
    "dataset.empty": Text(
        "{file}: the dataset has no cases. Add at least one row.", "{file}：样例集为空。请至少添加一行用例。"
    ),
    "dataset.faults": Text(
        "{file}: {count:fault|faults} in the dataset; nothing was asked. Fix the rows below and start again.",
        "{file}：样例集有 {count} 处错误，未发出任何请求。请修正下列各行后重试。",
    ),
    "dataset.unrecognised": Text(
        "{file}: no contract recognises this dataset (its first row has: {fields}). "
        "Say which columns hold question and gold: --map question=COLUMN --map gold=COLUMN; "
        "or name the contract with --contract: {known}.",
        "{file}：没有契约能识别该样例集（首行字段：{fields}）。请指明问题与标准答案所在的列：--map question=列名 --map gold=列名；"
        "或用 --contract 指定契约：{known}。",
    ),
    "dataset.no_gold": Text(
        "{file}: the questions are in {there:q}, but no column is known to hold what is expected (columns: {fields}). Say which one: --map gold=COLUMN; or name the contract with --contract: {known}.",
        "{file}：问题在 {there:q} 列，但没有识别出标准答案所在的列（现有：{fields}）。请用 --map gold=列名 指明；或用 --contract 指定契约：{known}。",
    ),
    "dataset.no_question": Text(
        "{file}: what is expected is in {there:q}, but no column is known to hold the questions (columns: {fields}). Say which one: --map question=COLUMN; or name the contract with --contract: {known}.",
        "{file}：标准答案在 {there:q} 列，但没有识别出问题所在的列（现有：{fields}）。请用 --map question=列名 指明；或用 --contract 指定契约：{known}。",
    ),
    "dataset.answers": Text(
        "{file}: recorded answers (id, output), not a dataset. The dataset comes first: ragstone score DATASET ANSWERS.",
        "{file}：这是已录制的回答（id、output），不是样例集。样例集写在前面：ragstone score 样例集 回答。",
    ),
    "dataset.rows_of_task": Text(
        "{file}: rows of a prompt task (their labels begin with gt_). Name the task: -o task=NAME.",
        "{file}：这是提示任务的数据（标签以 gt_ 开头）。请指定任务：-o task=名称。",
    ),
    "dataset.rows_of_draft": Text(
        "{file}: drafted rows of a prompt task. Name the task that comes with them: -o task=drafted_answer.",
        "{file}：这是为提示任务起草的数据。请指定自带的任务：-o task=drafted_answer。",
    ),
    "dataset.no_file": Text(
        "{file}: the folder holds no JSON file. Give a dataset's file, or the folder that holds the question files. A folder of documents goes after --documents, or as builtin:FOLDER.",
        "{file}：文件夹中没有 JSON 文件。请给出样例集文件，或存放题目文件的文件夹。文档文件夹请写在 --documents 之后，或写成 builtin:文件夹。",
    ),
    "group.unknown": Text(
        "no case has a group {names:and}. Groups are: {known:and}.",
        "没有用例带有分组 {names:and}。可用分组：{known:and}。",
    ),
    "subset.lines": Text(
        "{file}: what is drawn from a packed or tabular dataset is written as JSONL. Give a name that ends in .jsonl.",
        "{file}：从压缩或表格样例集抽取的子集以 JSONL 写出。请使用以 .jsonl 结尾的文件名。",
    ),
    # drafts
    "draft.contract": Text(
        "no rows can be drafted for {name:q}. Contracts: {known}.",
        "无法为 {name:q} 起草题目。可用的契约：{known}。",
    ),
    "draft.plan": Text(
        "{size} questions, a share of {abstain} without an answer and {leave_out} documents left out cannot be drafted. "
        "Give a size of 1 or more, a share from 0 to 1 and a whole number of documents.",
        "无法起草 {size} 题、应拒答比例 {abstain}、留出 {leave_out} 份文档。题数至少为 1，比例在 0 与 1 之间，文档数为非负整数。",
    ),
    "draft.no_abstaining": Text(
        "{name} has no form for a question without an answer. Draft those for: {known}.",
        "{name} 没有“应拒答”题目的写法。请为以下契约起草：{known}。",
    ),
    "draft.leave_out_alone": Text(
        "documents are left out so that questions about them have no answer, but no such questions were asked for. Give their share too, as in --abstain 0.2.",
        "留出文档是为了询问只有它们才有的内容，但没有要求“应拒答”的题目。请同时给出比例，例如 --abstain 0.2。",
    ),
    "draft.leave_out_all": Text(
        "{n:document|documents} cannot be left out of {documents}: the system would have none. Leave out fewer.",
        "{documents} 份文档中不能留出 {n} 份：系统将没有文档可用。请减少留出的数量。",
    ),
    "draft.empty": Text(
        "{folder}: holds no document that can be read. Add text, Markdown, Word or PDF files.",
        "{folder}：没有可读取的文档。请放入文本、Markdown、Word 或 PDF 文件。",
    ),
    "draft.nothing": Text(
        "{folder}: no question could be drafted from {documents:document|documents}: {reasons}.",
        "{folder}：{documents} 份文档中起草不出任何问题：{reasons}。",
    ),
    "draft.no_facts": Text(
        "{folder}: no question could be drafted from {documents:document|documents} ({reasons}). Give documents whose "
        "sentences state facts: dates, amounts, names, rules, lists.",
        "{folder}：{documents} 份文档中起草不出任何问题（{reasons}）。请给出句子陈述事实的文档：日期、金额、名称、规则、列举。",
    ),
    "draft.ending": Text(
        "{file}: {contract} is written as a file that ends in {ending}. Give it such a name.",
        "{file}：{contract} 写为以 {ending} 结尾的文件。请使用这样的文件名。",
    ),
    "draft.unwritable": Text(
        "{file}: cannot be written: {problem}. Name a file in a folder that exists.",
        "{file}：无法写入：{problem}。请给出现有文件夹中的文件名。",
    ),
    "draft.busy": Text(
        "{file}: another command is drafting into it. Wait for it, or give another --out.",
        "{file}：另一条命令正在起草到该文件。请等它结束，或换一个 --out。",
    ),
    "draft.part_empty": Text(
        "with a share of {share} one part would hold no question: no document may be in both. Give more documents or "
        "another share, or leave --dev out.",
        "按 {share} 的比例划分会有一部分没有题目：两部分不能有共同文档。请增加文档、调整比例，或去掉 --dev。",
    ),
    "draft.id": Text(
        "{file}: there is no draft {names}. Take the ids from the file, or --all.",
        "{file}：没有草稿 {names}。请使用文件中的 id，或 --all。",
    ),
    "draft.no_file": Text(
        "{file}: no such file. Give the file that `ragstone draft` wrote.",
        "{file}：文件不存在。请给出 `ragstone draft` 写出的文件。",
    ),
    "draft.not_drafts": Text(
        "{file}: holds no drafts: its rows have no `provenance`. Make some with `ragstone draft`.",
        "{file}：不是草稿：各行没有 `provenance`。请用 `ragstone draft` 起草。",
        "{file}：不是草稿：各列沒有 `provenance`。請用 `ragstone draft` 起草。",
    ),
    "draft.no_documents": Text(
        "quotations were not compared with the documents. Name their folder with --documents.",
        "未将引文与文档比对。请用 --documents 指定文档文件夹。",
    ),
    "draft.unreviewed": Text(
        "{n:drafted question|drafted questions} nobody has accepted yet. Read them, then `ragstone draft accept`.",
        "{n} 个起草的问题尚无人确认。请通读后运行 `ragstone draft accept`。",
    ),
    "draft.malformed": Text(
        "`provenance` or `absent` cannot be read: {problem}.",
        "无法读取 `provenance` 或 `absent`：{problem}。",
    ),
    "draft.document_gone": Text(
        "{document}: the document that proves {quote:q} is not in {folder}, or is empty. Put it back, or drop the question.",
        "{document}：用于证明 {quote:q} 的文档不在 {folder} 中，或为空。请放回文档，或删去该题。",
    ),
    "draft.stale": Text(
        "{document}, page {page}: {quote:q} is not there any more. The document changed: draft the question again (--again), or "
        "drop it.",
        "{document} 第 {page} 页：{quote:q} 已不在文中。文档已变动：请重新起草该题（--again），或删去。",
    ),
    "draft.moved": Text(
        "{document}: {quote:q} is no longer where it was on page {page}; it stands elsewhere on page {found}.",
        "{document}：{quote:q} 已不在第 {page} 页原处，现位于第 {found} 页的别处。",
    ),
    "draft.reframed": Text(
        "{document}, page {page}: {quote:q} stood under {was:q}, now under {now:q}. The question asks for it by the "
        "old words: draft it again (--again), or drop it.",
        "{document} 第 {page} 页：{quote:q} 原来在 {was:q} 之下，现在在 {now:q} 之下，而题面用的是旧文字。"
        "请重新起草该题（--again），或删去。",
    ),
    "draft.changed": Text(
        "{document}: changed since {n:draft was|drafts were} made from it. Look at what was drafted from it "
        "again: what is around a quotation may take it back.",
        "{document}：起草之后有变动，涉及 {n} 个草稿。请重新审阅：引文前后的文字可能已否定引文。",
    ),
    "draft.point": Text(
        "{document}, page {page}: the point {point:q} is not in the quotation that should prove it, {quote:q}.",
        "{document} 第 {page} 页：要点 {point:q} 不在用于证明它的引文 {quote:q} 中。",
    ),
    "draft.denied": Text(
        "{document}, page {page}: the quotation {quote:q} denies the point {point:q}, which is cut out of it.",
        "{document} 第 {page} 页：引文 {quote:q} 否定了从中截取的要点 {point:q}。",
    ),
    "draft.reworded": Text(
        "the question no longer holds {words:and}, which no document mentions: nothing proves that it has no answer. Put it back into the question, or drop the question.",
        "题面已不含 {words:and}，而文档中没有的正是它：无法再证明该题没有答案。请改回题面，或删去该题。",
    ),
    "draft.unproved": Text(
        "the row carries no quotation that proves its gold. Take `provenance` and `reviewed` out: then it is a "
        "question of your own.",
        "该行没有证明标准答案的引文。请去掉 `provenance` 与 `reviewed`：此后它就是您自己的题目。",
        "該列沒有證明標準答案的引文。請去掉 `provenance` 與 `reviewed`：此後它就是您自己的題目。",
    ),
    "draft.gold": Text(
        "{field}: {gold:q} was changed by hand: the quotations prove {points:and}. Put it back, or change it and "
        "`point` to other words of the quotation, or take `provenance` and `reviewed` out: then it is a question of "
        "your own.",
        "{field}：{gold:q} 被手工改动：引文所证明的是 {points:and}。请改回，或将它与 `point` 一并改为引文中的其他文字，"
        "或去掉 `provenance` 与 `reviewed`：此后它就是您自己的题目。",
    ),
    "draft.gold_gone": Text(
        "{field}: {point:q} is proved, but was taken out by hand. Put it back, or take its entry of `provenance` out "
        "too.",
        "{field}：{point:q} 有引文证明，却被手工删去。请改回，或将 `provenance` 中的对应项一并删去。",
    ),
    "draft.answered": Text(
        "the question has no answer (`absent`), but `should_abstain` is not true any more. Put it back, or drop the "
        "question.",
        "该题没有答案（`absent`），但 `should_abstain` 已不为 true。请改回，或删去该题。",
    ),
    "draft.unsound": Text(
        "{file}: some drafts cannot be accepted. Correct them, or drop them with --drop.",
        "{file}：部分草稿无法接受。请改正，或用 --drop 删去。",
    ),
    "draft.unsound_beside": Text(
        "{file}: some drafts cannot be accepted beside the documents in {folder}. Correct them, drop them with --drop, "
        "or name another folder with --documents.",
        "{file}：与 {folder} 中的文档比对后，部分草稿无法接受。请改正、用 --drop 删去，或用 --documents 指定别的文件夹。",
    ),
    "draft.present": Text(
        "the question should have no answer, but {document}, which tells it, is there. Take it out of the folder, or "
        "drop the question.",
        "该题应无答案，但说出答案的 {document} 就在文件夹中。请将其移出，或删去该题。",
    ),
    "draft.holds": Text(
        "the question should have no answer, but {document} holds {words:and}. Drop the question.",
        "该题应无答案，但 {document} 含有 {words:and}。请删去该题。",
    ),
    "draft.reviewed": Text(
        "`reviewed` is {value:q}; it must be true or false. Until then the draft counts as not accepted.",
        "`reviewed` 为 {value:q}；只能为 true 或 false。在改正之前，该草稿按未接受计。",
    ),
    "draft.other_contract": Text(
        "{file}: holds drafts for {there}; drafts for {contract} go into another file. Give another --out.",
        "{file}：其中是 {there} 的草稿；{contract} 的草稿须写入另一文件。请换一个 --out。",
    ),
    "draft.broken": Text(
        "{file}: cannot be read as drafts, so nothing was written. Correct it, or give another name.",
        "{file}：无法作为草稿读取，未写入任何内容。请改正，或换一个名称。",
    ),
    "draft.again_nothing": Text(
        "{file}: nothing else can be drafted from the documents of {names}. Drop them, or give other documents.",
        "{file}：{names} 的文档中起草不出别的题。请删去，或提供其他文档。",
    ),
    "draft.both": Text(
        "{names}: cannot be both accepted and dropped. Name each draft once.",
        "{names}：同时要求接受和删去。每个草稿请只写一次。",
    ),
    "draft.chat": Text(
        "`chat` takes {wanted}, not {value:q}.",
        "`chat` 应为 {wanted}，而不是 {value:q}。",
    ),
    "draft.type": Text(
        "`{name}` takes a value of type {wanted}, not {value}.",
        "`{name}` 应为 {wanted} 类型的值，而不是 {value}。",
    ),
    "draft.line": Text(
        "{file}, line {line}: not JSON. Correct the line, or draft into another file.",
        "{file} 第 {line} 行：不是 JSON。请改正该行，或起草到另一文件。",
    ),
    # rows
    "row.not_utf8": Text(
        "not valid UTF-8 at byte {byte}. Save the file as UTF-8.",
        "第 {byte} 字节不是有效的 UTF-8。请将文件存为 UTF-8。",
    ),
    "file.encoding": Text(
        "the file is not UTF-8; it looks like {encoding}. Save it as UTF-8: in Excel as “CSV UTF-8”, or with iconv -f {encoding} -t UTF-8 FILE > NEW.",
        "文件不是 UTF-8 编码，很可能是 {encoding}。请另存为 UTF-8：Excel 中选“CSV UTF-8”，或执行 iconv -f {encoding} -t UTF-8 文件 > 新文件。",
    ),
    "file.binary": Text(
        "the file is not text (an archive, a spreadsheet, a picture?). Export the dataset as JSON or JSONL in UTF-8.",
        "文件不是文本（压缩包、电子表格或图片？）。请将样例集导出为 UTF-8 编码的 JSON 或 JSONL。",
    ),
    "file.not_array": Text(
        "expected a JSON array of questions, found {found}. Fix it; or does it belong to another contract?",
        "应为由题目组成的 JSON 数组，实际为{found:told}。请修正；或者该文件属于其他契约？",
    ),
    "row.utf16": Text(
        "the file is UTF-16. Save it as UTF-8 (for example with: iconv -f UTF-16 -t UTF-8).",
        "文件为 UTF-16 编码。请另存为 UTF-8（例如：iconv -f UTF-16 -t UTF-8）。",
    ),
    "row.too_long": Text(
        "the row is longer than {limit} bytes. Split it or shorten its text.",
        "该行超过 {limit} 字节。请拆分或缩短其内容。",
    ),
    "row.crowded": Text(
        "the row holds more than {limit} values. Split it, or take out what is not needed.",
        "该行超过 {limit} 个值。请拆分，或删去不需要的内容。",
    ),
    "row.blank": Text(
        "more than {limit} blank lines in a row; the rest was not read. Remove them.",
        "连续空行超过 {limit} 行，不再继续读取。请删除这些空行。",
    ),
    "row.damaged": Text(
        "the file is damaged from here on: {problem}. Create it again.",
        "文件自此处起已损坏：{problem}。请重新生成该文件。",
    ),
    "row.formulas": Text(
        "some formulas have no saved result and count as empty cells. Open the file in a spreadsheet program and save it.",
        "部分公式没有保存计算结果，按空单元格处理。请用电子表格软件打开并保存该文件。",
    ),
    "row.csv": Text(
        "not a CSV record: {problem}. Put cells with commas, quotes or line breaks in double quotes, and double every quote inside them.",
        "不是有效的 CSV 记录：{problem}。含逗号、引号或换行的单元格须用双引号括起，其中的引号写两次。",
    ),
    "row.not_json": Text(
        "not valid JSON: {problem}. Each line must be one JSON object.",
        "不是有效的 JSON：{problem}。每行必须是一个 JSON 对象。",
    ),
    "row.curly": Text(
        'not valid JSON: it is written with curly quotes (“ ”), perhaps by a word processor. Write straight ones (").',
        '不是有效的 JSON：使用了弯引号（“ ”），可能来自文字处理软件。请改用直引号（"）。',
    ),
    "row.array": Text(
        "expected a JSON object, found {found}. Write one object a line, without [ ] around them and commas between them.",
        "应为 JSON 对象，实际为{found:told}。请每行写一个对象，去掉外层的 [ ] 和对象之间的逗号。",
    ),
    "row.nan": Text(
        "{found} is not a JSON value. Write null, or leave the field out.",
        "{found} 不是 JSON 的值。请写成 null，或去掉该字段。",
    ),
    "file.not_json": Text(
        "not valid JSON: {problem}. The whole file must be one JSON value; a file with one object a line is named .jsonl. Or does it belong to another contract?",
        "不是有效的 JSON：{problem}。整个文件必须是一个 JSON 值；每行一个对象的文件请以 .jsonl 命名。或者契约选错了？",
    ),
    "file.not_yaml": Text("not valid YAML: {problem}.", "不是有效的 YAML：{problem}。"),
    "file.faults": Text(
        "{file}: {count:fault|faults} in the {kind} file; nothing was asked.",
        "{file}：{kind} 文件有 {count} 处错误；未发出任何请求。",
    ),
    "promptfoo.left_out": Text(
        "promptfoo's {name:q} has no counterpart in this contract; it is left out.",
        "promptfoo 的 {name:q} 在本契约中没有对应的规则，未予采用。",
    ),
    "promptfoo.reference": Text(
        "the text of {name:q} is taken as a key point; {name} itself is not measured.",
        "{name:q} 的文本作为关键点；不测量 {name} 本身。",
    ),
    "promptfoo.several": Text(
        "some tests state several texts: accuracy asks for one of them, key_point_recall for all, as promptfoo does except for contains-any.",
        "部分测试写有多个文本：准确率要求至少说出一个，关键点召回率要求全部（promptfoo 除 contains-any 外均要求全部）。",
    ),
    "promptfoo.providers": Text(
        "{name} are not part of a dataset; name who is asked: --system {system}.",
        "{name} 不属于样例集；请指定被测系统：--system {system}。",
    ),
    "promptfoo.prompts": Text(
        "the prompts are not used: they are several, or lie in files. The question is a variable: vars.question, or --map question=vars.NAME.",
        "未采用 prompts：有多个，或写在文件中。问题取自变量：vars.question，或用 --map question=vars.名称 指定。",
    ),
    "promptfoo.file": Text(
        "expected tests, found {target:q}. Where tests lie in a file of their own, name that file (ragstone check tests.csv).",
        "此处应为测试，实际为 {target:q}。测试写在单独的文件中时，请直接给出该文件（ragstone check tests.csv）。",
    ),
    "promptfoo.variable": Text(
        "the variable {name:q} lies in a file; its text is not read.",
        "变量 {name:q} 写在文件中，不会读取其内容。",
    ),
    "row.not_object": Text("expected a JSON object, found {found}.", "应为 JSON 对象，实际为{found:told}。"),
    "row.field": Text(
        "field {field:q}: {problem}; expected {expected}, found {found}.",
        "字段 {field:q}：{problem}；应为{expected:told}，实际为{found:told}。",
    ),
    "row.unfit": Text("field {field:q}: {problem}.", "字段 {field:q}：{problem}。"),
    "row.missing": Text(
        "field {field:q} is missing; expected {expected}.", "缺少字段 {field:q}；应为{expected:told}。"
    ),
    "row.twice": Text(
        "the field {field:q} appears twice; only the last one counts. Remove one of them.",
        "字段 {field:q} 出现两次，只有最后一个有效。请删除其中一个。",
    ),
    "row.duplicate_id": Text(
        "id {id:q} is used more than once. Give every case its own id.", "id {id:q} 重复。每个用例必须有唯一的 id。"
    ),
    "row.slip": Text("unknown name {written:q}; did you mean: {near}?", "没有规则认识 {written:q}；是否想写：{near}？"),
    "row.duplicate_question": Text(
        "the question is the same as that of case {first}; the effective n is smaller than the number of rows.",
        "问题与用例 {first} 相同；有效样本数小于行数。",
    ),
    "check.duplicates": Text(
        "{rows:row holds|rows hold} {distinct:distinct question|distinct questions}: figures rest on n = {distinct}.",
        "{rows} 行中只有 {distinct} 个不同的问题：指标的有效样本数为 {distinct}。",
    ),
    "check.document_missing": Text(
        "document {document:q} is not among the documents in {folder}. Correct the name or add the file.",
        "文档 {document:q} 不在 {folder} 中。请更正名称或补充文件。",
    ),
    "documents.missing": Text(
        "{folder}: there is no such document folder. Give an existing one.",
        "{folder}：文档文件夹不存在。请给出已存在的文件夹。",
    ),
    # systems
    "system.spec": Text(
        "the system {spec:q} cannot be understood: {problem}. Examples: builtin:docs/  python:my_rag:query  replay:answers.jsonl{near:near}",
        "无法理解系统 {spec:q}：{problem}。示例：builtin:docs/  python:my_rag:query  replay:answers.jsonl{near:near}",
    ),
    "system.unknown": Text(
        "there is no system {name:q}: write KIND:ARGUMENT (kinds: {kinds}), or describe it in ragstone.toml as [systems.{name}].{near:near}",
        "没有系统 {name:q}：请写成 种类:参数（种类：{kinds}），或在 ragstone.toml 中以 [systems.{name}] 描述它。{near:near}",
    ),
    "system.unnamed": Text(
        "there is no system {name:q}: ragstone.toml describes {known:and}. Correct the name, write KIND:ARGUMENT (kinds: {kinds}), or add [systems.{name}] there.{near:near}",
        "没有系统 {name:q}：ragstone.toml 中有 {known:and}。请更正名称，写成 种类:参数（种类：{kinds}），或在其中加上 [systems.{name}]。{near:near}",
    ),
    "ping.nothing": Text(
        "nothing to ask: give a DATASET or --question.", "没有可提的问题：请给出 DATASET 或 --question。"
    ),
    "gate.no_own_rules": Text(
        "the contract {contract:q} demands no gate of its own. Say what must hold with --gate-rule, for example 'pass_rate >= 0.9'.",
        "契约 {contract:q} 没有自带门禁规则。请用 --gate-rule 说明，例如 'pass_rate >= 0.9'。",
    ),
    "workflow.file": Text(
        "{file} is not a workflow: {problem}. Known: name, version, steps (name, task, input_from, model, params_override).",
        "{file} 不是合格的工作流：{problem}。可用：name、version、steps（name、task、input_from、model、params_override）。",
    ),
    "bench.no_baseline": Text(
        "no earlier complete run that did not fail its gate has the same task, models, prompt version and scorer version: nothing to compare with. This run can be the next one's baseline.",
        "没有任务、模型、提示词版本和评分器版本都相同且未被门禁否决的完整运行：无可比较的基线。本次运行可作为下一次的基线。",
    ),
    "baseline.named": Text("compared with {run}, which was named", "与指定的运行 {run} 比较"),
    "baseline.pinned": Text("compared with {run}, which is pinned as {pin:q}", "与固定为 {pin:q} 的运行 {run} 比较"),
    "baseline.passed": Text(
        "compared with {run}, the last comparable run that passed its gate", "与 {run} 比较：最近一次通过门禁的同类运行"
    ),
    "baseline.unjudged": Text(
        "compared with {run}: no comparable run has passed a gate, and this is the last one that was never judged",
        "与 {run} 比较：没有同类运行通过过门禁，这是最近一次未经判定的运行",
    ),
    "pin.done": Text("pinned {run} as {pin:q} in {file}", "已将 {run} 固定为 {pin:q}，记录于 {file}"),
    "pin.not": Text("{run} is not pinned: its gate says {outcome}", "{run} 未被固定：门禁结论为 {outcome}"),
    "pin.gone": Text(
        "{pin:q} is pinned to {run}, which is gone. Pin another run with: ragstone gate RUN --pin NAME (pins are kept in {file}).",
        "{pin:q} 固定的运行 {run} 已不存在。请用 ragstone gate RUN --pin NAME 固定另一次运行（记录于 {file}）。",
    ),
    "pin.name": Text(
        "{pin:q} cannot be a pin: it is empty, means something else, or is the name of a run. Choose another name.",
        "{pin:q} 不能作为固定名：为空、另有含义，或与某次运行同名。请换一个名称。",
    ),
    "pin.unfit": Text(
        "{run} cannot be pinned: only a complete run of its own can be a baseline, no dry run and no part of another.",
        "{run} 不能被固定：只有完整的运行才能作为基线，试运行和分片不行。",
    ),
    "pin.file": Text(
        "{file}: the pins cannot be read: {problem}. It holds one JSON object: names to runs.",
        "{file}：无法读取固定记录：{problem}。其内容应为一个 JSON 对象：名称对应运行。",
    ),
    "bench.metrics": Text(
        "--gate-metrics: the task has no figure {names:and}; it has: {known:and}.",
        "--gate-metrics：该任务没有指标 {names:and}；可用：{known:and}。",
    ),
    "bench.columns": Text(
        "there is no column {names:and}; there are: {known:and}.", "没有列 {names:and}；现有：{known:and}。"
    ),
    "bench.both": Text(
        "--task and --workflow cannot be given together. Choose one of them.",
        "--task 与 --workflow 不能同时给出。请只选其一。",
    ),
    "bench.needed": Text("{flag} is needed.", "缺少 {flag}。"),
    "bench.models": Text(
        "which models? Name them with --models, or set `active` in the registry. It holds: {known:and}.",
        "要评测哪些模型？请用 --models 指定，或在注册表中设置 `active`。可用：{known:and}。",
    ),
    "bench.registry": Text(
        "where are the models? Give --model-registry FILE ({file} is used when it exists), or try a dry run with --mock.",
        "在哪里找模型？请用 --model-registry 指定文件（存在 {file} 时自动使用），或用 --mock 试运行。",
    ),
    "option.choice": Text(
        "the option {name} is {value:q}; allowed: {allowed:and}.", "选项 {name} 的值为 {value:q}；可用：{allowed:and}。"
    ),
    "option.unknown": Text(
        "the contract {contract} has no option {names:and}; it has: {known}.",
        "契约 {contract} 没有选项 {names:and}；可用：{known}。",
    ),
    "task.missing": Text(
        "there is no {kind} {name:q}.{near:near} Looked for {places:and}. Known: {known:and}.",
        "没有{kind:told} {name:q}。{near:near}查找过 {places:and}。已有：{known:and}。",
    ),
    "map.no_column": Text(
        "--map names the column {column:q}, which {file} does not have. Its columns are: {known:and}.{near:near}",
        "--map 指定的列 {column:q} 在 {file} 中不存在。现有的列：{known:and}。{near:near}",
    ),
    "map.unknown": Text(
        "--map names no field {names:and}; fields are: {known}.", "--map 没有字段 {names:and}；可用字段：{known}。"
    ),
    "option.pair": Text("{pair:q} is not a NAME=VALUE pair.", "{pair:q} 不是 NAME=VALUE 形式。"),
    "system.none": Text(
        "no system to ask. Name one with --system, for example builtin:docs/ or python:my_rag:query (or --mock for a dry run).",
        "没有指定被测系统。请用 --system 指定，例如 builtin:docs/ 或 python:my_rag:query（--mock 为试运行）。",
    ),
    "system.uncached": Text(
        "{spec}: its answers cannot be kept: only {kinds} can say what an answer depends on. Leave out --cache.",
        "{spec}：无法缓存其回答：只有 {kinds} 能说明回答取决于什么。请去掉 --cache。",
    ),
    "system.same_name": Text(
        "{count} systems are called {name:q}, so their answers could not be told apart. Give each a [systems.NAME] table of its own in ragstone.toml and name those, or ask it once (--repeats asks again).",
        "有 {count} 个系统都叫 {name:q}，无法区分它们的回答。请在 ragstone.toml 中为每个系统写一个 [systems.名称] 并使用该名称，或只列出一次（重复提问请用 --repeats）。",
    ),
    "system.again": Text(
        "{run}: this run asked a Python object; pass it again: ragstone.resume(run, system) in Python, or: ragstone resume {run} --system python:module:attribute",
        "{run}：该运行使用了 Python 对象；请再次传入：在 Python 中 ragstone.resume(run, system)，或：ragstone resume {run} --system python:模块:属性",
    ),
    "task.code": Text(
        "the task file names {target:q} as a metric: that is code, and a task file alone runs none. If you trust it, allow its module: RAGSTONE_METRIC_MODULES={module}, or metric_modules = ['{module}'] in ragstone.toml.",
        "任务文件以 {target:q} 为指标：这是代码，任务文件本身不能运行代码。若信任它，请允许该模块：RAGSTONE_METRIC_MODULES={module}，或在 ragstone.toml 中写 metric_modules = ['{module}']。",
    ),
    "system.masked": Text(
        "{run}: the key in {spec:q} was not written down. Give the system again (ragstone resume {run} --system …); or write the key as ${{NAME}} and set NAME in the environment, then a run can be resumed without it.",
        "{run}：{spec:q} 中的密钥没有保存。请再次给出该系统（ragstone resume {run} --system ……）；也可写成 ${{NAME}} 并在环境中设置 NAME，这样恢复运行时无需再次给出。",
    ),
    "system.masked_option": Text(
        "{run}: the secret in {names:and} was not written down. Give it again (ragstone resume {run} -O NAME=VALUE); or write it as ${{NAME}} and set NAME in the environment.",
        "{run}：选项 {names:and} 中的密钥没有保存。请再次给出（ragstone resume {run} -O 名称=值）；也可写成 ${{NAME}} 并在环境中设置 NAME。",
    ),
    "system.import": Text(
        "python:{target}: cannot be imported: {problem}. Write it as package.module:attribute, run from the folder that holds it.{near:near}",
        "python:{target}：无法导入：{problem}。请写成 包.模块:属性，并在其所在文件夹中运行。{near:near}",
    ),
    "system.broken": Text(
        "python:{target}: the module itself fails: {problem}. Install what it imports into this environment, or correct it.",
        "python:{target}：模块自身出错：{problem}。请在当前环境中安装它所导入的包，或修正该模块。",
    ),
    "system.not_callable": Text(
        "python:{target} is of type {found}; expected a callable or an object with .query().",
        "python:{target} 是 {found}；应为可调用对象或带有 .query() 的对象。",
    ),
    "answers.no_column": Text(
        "{file}: no column holds answers. Give the recorded ones, ragstone score {file} ANSWERS, or name the column: ragstone score {file} --map answer=COLUMN.",
        "{file}：没有回答列。请给出已录制的回答：ragstone score {file} 回答文件，或指定列：ragstone score {file} --map answer=列名。",
    ),
    "answers.missing": Text(
        "{file}: no such file. Give the path of recorded answers (JSON lines: id, output).",
        "{file}：文件不存在。请给出已录制回答的路径（每行一个 JSON 对象：id、output）。",
    ),
    "answers.stray": Text(
        "{file}: {n:answer|answers} for no case of the dataset, not used: {ids:and}",
        "{file}：有 {n} 个回答不属于样例集中的任何用例，未使用：{ids:and}",
    ),
    "answers.unused": Text(
        "{n:recorded answer is|recorded answers are} for no case of the dataset and not used.",
        "有 {n} 个已录制的回答不属于样例集中的任何用例，未使用。",
        "有 {n} 個已錄製的回答不屬於樣例集中的任何用例，未使用。",
    ),
    "answers.twice": Text(
        "the question {question:q} has another answer in a row before. Keep one of them, or give each row the id of its case.",
        "问题 {question:q} 在前面的行中已有不同的回答。请只保留其一，或为各行写明用例的 id。",
        "問題 {question:q} 在前面的行中已有不同的回答。請只保留其一，或為各行寫明用例的 id。",
    ),
    "answers.encoding": Text(
        "{file}: warning: read as UTF-8 it holds {found:q} and no Chinese, read as GBK it says {meant:q}. If that is what was meant, save the file as UTF-8 and score again.",
        "{file}：警告：按 UTF-8 读得 {found:q}，没有中文；按 GBK 读则为 {meant:q}。若后者才是原意，请将文件另存为 UTF-8 后重新评分。",
        "{file}：警告：按 UTF-8 讀得 {found:q}，沒有中文；按 GBK 讀則為 {meant:q}。若後者才是原意，請將檔案另存為 UTF-8 後重新評分。",
    ),
    "answers.odd": Text(
        "{place}: {field:q} is {found:q}, which is not a number, and was left out ({n} such value(s) in all).",
        "{place}：{field:q} 的值 {found:q} 不是数，未采用（共 {n} 处）。",
    ),
    "answers.unreadable": Text(
        "{file}: recorded answers cannot be used: {problem}", "{file}：无法使用已录制的回答：{problem}"
    ),
    "answers.none": Text(
        "{file} has no answer for {id:q}. Record one, or correct the ids.",
        "{file} 中没有 {id:q} 的回答。请补充，或更正 id。",
    ),
    "answers.faults": Text(
        "{file}: {count:fault|faults} in the recorded answers. Fix the rows below and start again.",
        "{file}：已录制的回答有 {count} 处错误。请修正下列各行后重试。",
    ),
    # runs
    "run.missing": Text(
        "{run}: no such run. `ragstone runs` lists those in {folder}.",
        "{run}：没有该评测运行。`ragstone runs` 可列出 {folder} 中的运行。",
    ),
    "run.nowhere": Text(
        "{run}: no such run, and there is no folder {folder} here. "
        "Change to the folder the run was made in, or give its runs with --runs-dir.",
        "{run}：没有该评测运行，当前文件夹中也没有 {folder}。请切换到运行时所在的文件夹，或用 --runs-dir 指定。",
    ),
    "run.many": Text(
        "{run}: {n} runs have names that begin with this, such as {names:and}. Give more of the name.",
        "{run}：有 {n} 个运行以此开头，例如 {names:and}。请把名称写得更完整。",
    ),
    "run.unnamed": Text(
        "no run is named. Give a folder, a run id, the beginning of one, or latest; `ragstone runs` lists those in {folder}.",
        "没有给出运行。请给出文件夹、运行编号、编号开头或 latest；`ragstone runs` 可列出 {folder} 中的运行。",
    ),
    "run.not_a_run": Text(
        "{run}: not a run folder (no readable {file}). Give a folder made by `ragstone run`.",
        "{run}：不是运行文件夹（没有可读的 {file}）。请给出由 `ragstone run` 生成的文件夹。",
    ),
    "run.newer": Text(
        "{run}: made by a newer Ragstone (folder format {found}, this one reads up to {known}). Upgrade Ragstone.",
        "{run}：由更新版本的 Ragstone 生成（格式 {found}，当前最高支持 {known}）。请升级 Ragstone。",
    ),
    "run.older": Text(
        "{run}: made by an older Ragstone (folder format {found}, this one reads from {known}). Read it with the version that made it (ragstone_version in run_meta.json), or start a new run.",
        "{run}：由更旧版本的 Ragstone 生成（格式 {found}，当前最低支持 {known}）。请用生成它的版本读取（见 run_meta.json 中的 ragstone_version），或开始新的运行。",
    ),
    "run.exists": Text(
        "{run}: the folder exists already. Choose another --run-id, or continue it with `ragstone resume {run}`.",
        "{run}：文件夹已存在。请换一个 --run-id，或用 `ragstone resume {run}` 继续。",
    ),
    "run.taken": Text(
        "{run}: the folder exists already and is left alone. Choose another {flag}, or remove the folder first.",
        "{run}：文件夹已存在，未作改动。请换一个 {flag}，或先删除该文件夹。",
    ),
    "run.name": Text(
        "{name:q} cannot be the name of a run: it must be one plain name without / or \\, of at most 255 bytes. Choose another --run-id; --runs-dir says where runs are kept.",
        "{name:q} 不能作为运行的名称：须为单个名称，不含 / 或 \\，不超过 255 字节。请换一个 --run-id；保存位置由 --runs-dir 指定。",
    ),
    "run.interrupted": Text(
        "{run}: the run was interrupted; {answers} of {expected:answer is|answers are} kept. Continue it with: ragstone resume {run}",
        "{run}：运行被中断；已保存 {answers}/{expected} 个回答。请继续：ragstone resume {run}",
    ),
    "run.running": Text(
        "{run}: the run is still going on; {answers} of {expected:answer is|answers are} there. Wait for its end.",
        "{run}：运行仍在进行；已得到 {answers}/{expected} 个回答。请等待其结束。",
    ),
    "run.halfway": Text(
        "{run}: `ragstone {command}` was interrupted here. Remove this folder and repeat the command.",
        "{run}：`ragstone {command}` 在此中途结束。请删除该文件夹后重做。",
    ),
    "run.summary": Text(
        "{run}: {file} is missing or damaged. The answers are kept; score them again, without a call: ragstone rescore {run}",
        "{run}：{file} 缺失或已损坏。回答均已保存；可重新评分（不发出请求）：ragstone rescore {run}",
    ),
    "run.rescoring": Text(
        "{run}: the rescoring of {origin} was interrupted here. Remove this folder and repeat it: ragstone rescore {origin}",
        "{run}：对 {origin} 的重新评分未完成。请删除该文件夹后重做：ragstone rescore {origin}",
    ),
    "run.busy": Text(
        "{run}: another process is working on this run. Wait for it, or stop it first.",
        "{run}：另一个进程正在处理该运行。请等待其结束或先停止它。",
    ),
    "run.dataset_changed": Text(
        "{run}: the dataset {file} has changed since the run began (was {was}, is {now}). Restore it, or start a new run.",
        "{run}：样例集 {file} 在运行开始后已改变（原 {was}，现 {now}）。请还原，或开始新的运行。",
    ),
    "run.glossary_changed": Text(
        "{run}: the glossary {file} has changed since the run began (was {was}, is {now}). Restore it, or move it away: the "
        "run keeps its own copy; `ragstone rescore --glossary {file}` scores the recorded answers by the new one.",
        "{run}：词汇表 {file} 在运行开始后已改变（原 {was}，现 {now}）。请还原，或将其移走（运行自带一份副本）；"
        "用 `ragstone rescore --glossary {file}` 可按新词汇表对已录制的回答重新评分。",
    ),
    "glossary.faults": Text(
        "{file}: the glossary has {count:error|errors}.",
        "{file}：词汇表有 {count} 处错误。",
    ),
    "glossary.unreadable": Text(
        "{file}: the glossary cannot be read: {problem}. Name a text file with lines such as SSO = single sign-on.",
        "{file}：无法读取词汇表：{problem}。请指定文本文件，每行形如 专票 = 增值税专用发票。",
    ),
    "glossary.long": Text(
        "{file}: the glossary has more than {most} lines. Keep the words your answers use.",
        "{file}：词汇表超过 {most} 行。请只保留回答中会用到的词。",
    ),
    "glossary.one_word": Text(
        "{word:q} is alone in its line: a line has words that mean the same, with = between them",
        "{word:q} 独占一行：每行应为意思相同的词，用 = 隔开",
    ),
    "glossary.no_word": Text("a word is missing beside =", "= 旁边缺少词"),
    "glossary.figures": Text(
        "{words:and} cannot mean the same: numbers are compared by value", "{words:and} 不能同义：数字按数值比较"
    ),
    "glossary.long_word": Text("a word of {length} characters; at most {most}", "词长 {length} 个字符；最多 {most} 个"),
    "glossary.again": Text(
        "{word:q} is also in line {first}; words in different lines do not mean the same: join the lines if they do",
        "{word:q} 在第 {first} 行已出现；两行的词并不互为同义：若同义请合为一行",
    ),
    "glossary.twice": Text("{word:q} appears twice in one line", "{word:q} 在同一行出现两次"),
    "glossary.broad": Text(
        "{word:q} is too general: it is used in many sentences that say something else",
        "{word:q} 含义过宽：许多说别的事的句子里也有它",
    ),
    "glossary.cue": Text(
        "{word:q} tells the reader that something is denied, doubted or asked; it cannot stand for another word",
        "{word:q} 用来判断否定、存疑或提问，不宜作为同义词",
    ),
    "glossary.opposites": Text("{one:q} and {other:q} are opposites", "{one:q} 与 {other:q} 意思相反"),
    "run.scorer_changed": Text(
        "{run}: the scorer has changed since the run began (was {was}, is {now}). Use `ragstone rescore`, or start a new run.",
        "{run}：评分器在运行开始后已改变（原 {was}，现 {now}）。请使用 `ragstone rescore`，或开始新的运行。",
    ),
    "run.prompt_changed": Text(
        "{run}: the prompt has changed since the run began (was {was}, is {now}). Restore it, or start a new run.",
        "{run}：提示词在运行开始后已改变（原 {was}，现 {now}）。请恢复，或开始新的运行。",
    ),
    "run.journal": Text(
        "{file}:{line}: the journal is damaged: {problem}. Restore the file from a copy, or keep the good answers and ask the rest again: ragstone resume {run} --salvage",
        "{file}:{line}：日志已损坏：{problem}。请从备份恢复；或保留完好的回答、重新提问其余部分：ragstone resume {run} --salvage",
    ),
    "run.altered": Text(
        "{run}: {files:and} changed after the run had written it. Restore it from a copy; or keep the good answers and ask the rest again: ragstone resume {run} --salvage (the change stays on record).",
        "{run}：{files:and} 在运行写入之后被改动。请从备份恢复；或保留完好的回答、重新提问其余部分：ragstone resume {run} --salvage（改动会被永久记录）。",
    ),
    "run.foreign": Text(
        "{run}: this run was not made by you on this machine, or what it names was changed since. Going on would load: {risks:and}. Look at its config.json; if you trust whoever made it, add --trust-run (in Python: trust=True), or name the system you trust (ragstone resume {run} --system …).",
        "{run}：该运行不是您在本机生成的，或其配置之后被改动。继续会加载：{risks:and}。请查看其 config.json；若信任生成者，请加 --trust-run（Python 中：trust=True），或指定您信任的系统（ragstone resume {run} --system ……）。",
    ),
    "run.foreign_asks": Text(
        "{run}: this run was not made by you on this machine, or what it names was changed since. Going on would load:",
        "{run}：该运行不是您在本机生成的，或其配置之后被改动。继续会加载：",
    ),
    "risk.contract": Text("contract (code): {names:and}", "契约（代码）：{names:and}"),
    "risk.system": Text("system: {names:and}", "系统：{names:and}"),
    "risk.option": Text("option: {names:and}", "选项：{names:and}"),
    "risk.file": Text("file: {names:and}", "文件：{names:and}"),
    "risk.variable": Text("environment variable: {names:and}", "环境变量：{names:and}"),
    "risk.host": Text("host: {names:and}", "主机：{names:and}"),
    "risk.verdicts": Text(
        "verdicts that were sent with it, as if judges and people had given them here: {names:and}",
        "随其发来、如同在此由裁判和人工给出的判定：{names:and}",
    ),
    "run.damaged": Text(
        "{run}: {file} is damaged: {problem}. Restore it from a copy, or start a new run.",
        "{run}：{file} 已损坏：{problem}。请从备份恢复，或开始新的运行。",
    ),
    "run.no_folder": Text(
        "{folder}: the folder cannot be made: {problem}. Nothing was asked. Name another place with {flag}.",
        "{folder}：无法创建文件夹：{problem}。未发出任何请求。请用 {flag} 指定其他位置。",
    ),
    "run.unwritable": Text(
        "{folder}: cannot write: {problem}. What was answered so far is kept; make room or change the permissions, then `ragstone resume`.",
        "{folder}：无法写入：{problem}。已得到的回答均已保存；请腾出空间或修改权限，然后执行 `ragstone resume`。",
    ),
    "new.folder": Text(
        "{folder}: the starter files cannot be written: {problem}. Choose another folder.",
        "{folder}：无法写入起步文件：{problem}。请换一个文件夹。",
    ),
    "new.ci": Text("there is no pipeline for {name:q}; there are: {known}.", "没有 {name:q} 的流水线；可用：{known}。"),
    "new.from": Text(
        "--from writes key_points datasets only, not {kind}. The table can be scored as it is: ragstone check {file}. For {kind} write its questions by the starter files: ragstone new {kind} FOLDER.",
        "--from 只能写出 key_points 样例集，不能写出 {kind}。该表格可直接评测：ragstone check {file}。{kind} 的题目请参照起步文件编写：ragstone new {kind} 文件夹。",
    ),
    "new.kind": Text(
        "there are no starter files {kind:q}.{near:near} There are: {known:and}.",
        "没有起步文件 {kind:q}。{near:near}可用：{known:and}。",
    ),
    "new.documents": Text(
        "{folder} holds documents of yours, such as {file:q}: the sample documents would mix with them. Name a new folder, or add --force; files that exist are never written over.",
        "{folder} 中有您的文档，例如 {file:q}：示例文档会与之混在一起。请指定新文件夹，或加 --force；已有的文件绝不覆盖。",
        "{folder} 中有您的文件，例如 {file:q}：範例文件會與之混在一起。請指定新資料夾，或加 --force；已有的檔案絕不覆蓋。",
    ),
    "new.exists": Text(
        "{file} exists already and is left alone. Choose another folder.", "{file} 已存在，未作改动。请换一个文件夹。"
    ),
    # documents and the built-in RAG
    "documents.empty": Text(
        "{folder}: there is nothing to read here. Put documents into it ({kinds}).",
        "{folder}：其中没有可读的文档。请放入文档（{kinds}）。",
    ),
    "documents.kind": Text(
        "{file}: this kind of file is not read. Documents are: {kinds}.",
        "{file}：不支持该类文件。可读的文档：{kinds}。",
    ),
    "documents.blank": Text(
        "{file}: the document is empty. Fill, replace or remove it.",
        "{file}：文档为空。请补充内容、替换或移除该文件。",
    ),
    "documents.outside": Text(
        "{file}: the link leads out of the document folder and is not followed. Copy the file into the folder.",
        "{file}：该链接指向文档文件夹之外，未读取。请将文件复制到文件夹中。",
    ),
    "documents.unreadable": Text(
        "{file}: the document cannot be read: {problem}. Fix, replace or remove it.",
        "{file}：无法读取文档：{problem}。请修复、替换或移除该文件。",
    ),
    "documents.locked": Text(
        "{file}: the document is locked with a password. Save a copy without one.",
        "{file}：文档设有密码。请另存一份无密码的副本。",
    ),
    "documents.no_text": Text(
        "{file}: no page of the document holds text (scanned pictures?). Run OCR on it first.",
        "{file}：文档各页均无文字（可能是扫描图片）。请先做文字识别。",
    ),
    "documents.binary": Text(
        "{file}: this is not text. Save it as UTF-8 text, or remove it.",
        "{file}：不是文本。请存为 UTF-8 文本，或移除该文件。",
    ),
    "documents.too_large": Text(
        "{file}: larger than {limit} MB, packed or unpacked. Split the document.",
        "{file}：超过 {limit} MB（压缩前或解压后）。请拆分文档。",
    ),
    "documents.encoding": Text(
        "{file}: not UTF-8; read as {encoding}. Save it as UTF-8 if characters look wrong.",
        "{file}：不是 UTF-8，按 {encoding} 读取。若文字有误，请另存为 UTF-8。",
    ),
    "builtin.option": Text(
        "builtin: the option {name:q} cannot be {found:q}. Allowed: {allowed}.",
        "builtin：选项 {name:q} 不能是 {found:q}。允许：{allowed}。",
    ),
    "builtin.index": Text(
        "{file}: the index cannot be written: {problem}. Choose another folder or make room.",
        "{file}：无法写入索引：{problem}。请更换文件夹或腾出空间。",
    ),
    # what a run says of its cases
    "failed.ask": Text("not answered ({kind}): {problem}", "未得到回答（{kind}）：{problem}"),
    "failed.read": Text("not readable ({kind}): {problem}", "无法解析（{kind}）：{problem}"),
    "failed.score": Text("not scored ({kind}): {problem}", "无法评分（{kind}）：{problem}"),
    "key_points.no_hint": Text(
        "doc_hint is empty: the citation rate does not apply to this case.", "doc_hint 为空：该用例不计引用率。"
    ),
    # asking
    "ask.refused": Text(
        "{where}: the connection was refused or the host cannot be reached ({problem}). Check that the service runs and that address and port are right.",
        "{where}：连接被拒绝或主机不可达（{problem}）。请确认服务已启动，地址和端口正确。",
    ),
    "ask.offline": Text("{where}: {problem}", "{where}：{problem}"),
    "ask.dns": Text(
        "{where}: the host name '{host}' is not known ({problem}). Check its spelling and the network.",
        "{where}：无法解析主机名“{host}”（{problem}）。请检查拼写和网络。",
    ),
    "ask.tls": Text(
        "{where}: no secure connection: {problem}. Check https/http and the certificate; name a private certificate authority with ca_file.",
        "{where}：无法建立安全连接：{problem}。请检查 https/http 与证书；私有 CA 用 ca_file 指定。",
    ),
    "ask.timeout_connect": Text(
        "{where}: no connection after {seconds} s. Check the network, or raise connect_timeout.",
        "{where}：{seconds} 秒内未能建立连接。请检查网络，或调高 connect_timeout。",
    ),
    "ask.timeout_first_byte": Text(
        "{where}: no reply after {seconds} s. Lower the load, or raise first_byte_timeout.",
        "{where}：{seconds} 秒内没有任何响应。请降低负载，或调高 first_byte_timeout。",
    ),
    "ask.timeout_total": Text(
        "{where}: the reply was not complete after {seconds} s. Ask for shorter answers, or raise timeout.",
        "{where}：{seconds} 秒后响应仍未完成。请要求更短的回答，或调高 timeout。",
    ),
    "ask.timeout_short": Text(
        "{where}: not even a short reply was complete after {seconds} s. Check whether the service is busy or still loading its model; if it needs longer, raise timeout.",
        "{where}：{seconds} 秒后连简短的响应也未完成。请查看服务是否繁忙或仍在加载模型；确需更久时请调高 timeout。",
    ),
    "ask.reset": Text(
        "{where}: the connection broke off before the reply was complete ({problem}). Look at the service's own log.",
        "{where}：响应完成前连接中断（{problem}）。请查看该服务的日志。",
    ),
    "ask.cut_off": Text(
        "{where}: the stream ended before its closing mark '{mark}', so the answer is not complete. Look at the service's own log; if its streams end otherwise, correct `done` in the mapping.",
        "{where}：流在结束标记“{mark}”之前就中断了，回答不完整。请查看该服务的日志；若其流以其他方式结束，请修正映射中的 done。",
    ),
    "ask.not_http": Text(
        "{where}: what came back is not HTTP ({problem}). Check the address and the port.",
        "{where}：返回内容不是 HTTP（{problem}）。请检查地址和端口。",
    ),
    "ask.damaged": Text(
        "{where}: the compressed reply is damaged or cut short ({problem}), so nothing of it is used. Look at the service's own log and at proxies in between.",
        "{where}：压缩的响应已损坏或不完整（{problem}），未采用其中任何内容。请查看该服务的日志以及中间的代理。",
    ),
    "ask.handles": Text(
        "{where}: no connection: this process has no file handle left ({problem}). Lower --concurrency, or raise the limit (ulimit -n).",
        "{where}：无法建立连接，本进程已无可用的文件句柄（{problem}）。请降低 --concurrency，或调高限制（ulimit -n）。",
    ),
    "ask.stray": Text(
        "{where}: a reply came that was not asked for, so earlier answers may belong to other questions. This question was not sent; each one has a connection of its own from here on. Start a new run with keep_alive=false.",
        "{where}：收到了一个无人请求的响应，因此此前的回答可能属于其他问题。该问题未发送；此后每个问题使用单独的连接。请以 keep_alive=false 开始新的运行。",
    ),
    "ask.wrong_id": Text(
        "{where}: the reply is for {found:q}, the question was {expected:q}. Look for a mix-up in the service.",
        "{where}：响应属于 {found:q}，而问题是 {expected:q}。请检查服务是否混淆了请求。",
    ),
    "ask.http_3xx": Text(
        "{where}: status {status}, moved to {target}; redirects are not followed. Give that address if you trust it.",
        "{where}：状态码 {status}，已转移到 {target}；不会跟随重定向。若信任该地址，请直接填写。",
    ),
    "ask.http_4xx": Text(
        "{where}: status {status}: {problem}. Check the address and the parameters of the request.",
        "{where}：状态码 {status}：{problem}。请检查地址和请求参数。",
    ),
    "ask.http_400": Text(
        "{where}: status 400, the request was not understood: {problem}. Check model name and parameters.",
        "{where}：状态码 400，请求未被理解：{problem}。请检查模型名称和参数。",
    ),
    "ask.http_401": Text(
        "{where}: status 401, the key was not accepted: {problem}. Check the variable that holds the key.",
        "{where}：状态码 401，密钥未被接受：{problem}。请检查存放密钥的环境变量。",
    ),
    "ask.http_401_named": Text(
        "{where}: status 401, the key was not accepted: {problem}. Check the variable {variables:or}, which holds the key.",
        "{where}：状态码 401，密钥未被接受：{problem}。请检查存放密钥的环境变量 {variables:or}。",
    ),
    "ask.http_401_none": Text(
        "{where}: status 401, and no key was sent: {problem}. Name the variable that holds the key with api_key_env, or write api_key into the registry.",
        "{where}：状态码 401，且没有发送密钥：{problem}。请用 api_key_env 指定存放密钥的环境变量，或在注册表中写入 api_key。",
    ),
    "ask.http_403": Text(
        "{where}: status 403, not allowed: {problem}. Check what the key may do.",
        "{where}：状态码 403，没有权限：{problem}。请检查密钥的权限。",
    ),
    "ask.http_404": Text(
        "{where}: status 404, there is nothing at this address: {problem}. Check base_url (often it ends in /v1) and the model name.",
        "{where}：状态码 404，该地址不存在：{problem}。请检查 base_url（通常以 /v1 结尾）和模型名称。",
    ),
    "ask.http_407": Text(
        "{where}: status 407, the proxy needs a user and password: {problem}. Put user and password into the proxy's address (http://user:password@host:port) in HTTPS_PROXY, HTTP_PROXY, ALL_PROXY or the option proxy.",
        "{where}：状态码 407，代理要求身份验证：{problem}。请在 HTTPS_PROXY、HTTP_PROXY、ALL_PROXY 或选项 proxy 的代理地址中写明用户名和密码（http://user:password@host:port）。",
    ),
    "ask.http_413": Text(
        "{where}: status 413, the request is too long: {problem}. Shorten the prompt.",
        "{where}：状态码 413，请求过长：{problem}。请缩短提示词。",
    ),
    "ask.http_422": Text(
        "{where}: status 422, a field of the request is wrong: {problem}. Check the parameters.",
        "{where}：状态码 422，请求字段有误：{problem}。请检查参数。",
    ),
    "ask.http_5xx": Text(
        "{where}: status {status}, the service failed: {problem}. Look at its log, or try later.",
        "{where}：状态码 {status}，服务出错：{problem}。请查看其日志，或稍后再试。",
    ),
    "ask.rate_limited": Text(
        "{where}: status 429, too many requests: {problem}. Lower concurrency or set requests_per_minute.",
        "{where}：状态码 429，请求过多：{problem}。请降低并发，或设置 requests_per_minute。",
    ),
    "ask.not_json": Text(
        "{where}: the reply is not JSON ({problem}). Check that the address is the API's.",
        "{where}：响应不是 JSON（{problem}）。请确认地址是 API 地址。",
    ),
    "ask.html_page": Text(
        "{where}: the reply is a web page, not an API's answer. Check the address (a missing /v1?) and log-in pages or proxies in between.",
        "{where}：响应是网页而不是 API 的回答。请检查地址（是否缺少 /v1？）以及中间的登录页或代理。",
    ),
    "ask.empty_choices": Text(
        "{where}: the reply holds no choice. Look at the service's log; the keys were: {keys}.",
        "{where}：响应中没有任何候选回答。请查看服务日志；现有字段：{keys}。",
    ),
    "ask.content_filtered": Text(
        "{where}: the service's content filter held the answer back ({problem}). Rephrase the question, or have the filter changed.",
        "{where}：服务的内容过滤拦截了回答（{problem}）。请换一种问法，或调整过滤设置。",
    ),
    "ask.missing_path": Text(
        "{where}: the reply has nothing at '{path}': {problem}. Correct the path in the mapping, or give it as the option answer.",
        "{where}：响应中没有“{path}”：{problem}。请修正映射中的路径，或用选项 answer 指定。",
    ),
    "ask.reported": Text(
        "{where}: the service reports an error: {problem}. See its own documentation for this code.",
        "{where}：服务报告错误：{problem}。请查阅该服务的文档。",
    ),
    "ask.too_large": Text(
        "{where}: the reply is longer than {limit} bytes and was not read further. Ask for less, or raise max_reply_bytes.",
        "{where}：响应超过 {limit} 字节，未继续读取。请减少返回内容，或调高 max_reply_bytes。",
    ),
    "ask.budget": Text(
        "{spent} of {limit} {what} spent (the run's budget). Go on with a larger one: ragstone resume RUN -O {option}=…",
        "运行的预算已用完：上限 {limit} {what}，已用 {spent}。请以更大的预算继续：ragstone resume 运行 -O {option}=……",
    ),
    "judge.budget": Text(
        "{spent} of {limit} {what} spent (the judge's budget); a larger one is -J {option}=…",
        "裁判的预算已用完：上限 {limit} {what}，已用 {spent}；可用 -J {option}=…… 提高预算",
    ),
    "ask.budget_over": Text(
        "{spent} of {limit} {what} spent (the run's budget): what a call takes is known only when it is answered. Go on with a larger one: ragstone resume RUN -O {option}=…",
        "运行的预算已用完：上限 {limit} {what}，已用 {spent}；超出是因为一次请求的用量要等到回答之后才知道。请以更大的预算继续：ragstone resume 运行 -O {option}=……",
    ),
    "ask.uncounted": Text(
        "a reply came without a count of its tokens, so it is not known when the budget of {limit} {what} is spent; nothing more was asked. Limit the calls instead: ragstone resume RUN -O {option}=0 -O max_calls=…",
        "有响应没有给出 token 数，无法得知预算 {limit} {what}何时用完；已停止提问。请改为限制请求数：ragstone resume 运行 -O {option}=0 -O max_calls=……",
    ),
    "ask.no_price": Text(
        "{system}: max_cost needs prices, and there is no price_config: what was spent would not be known. Give price_config, or limit max_calls or max_tokens_spent instead.",
        "{system}：max_cost 需要价格，但没有 price_config，无法得知花费。请给出 price_config，或改用 max_calls、max_tokens_spent。",
    ),
    "ask.no_usage": Text(
        "{system}: {option} needs token counts, and the description does not say where they are in a reply. Add `usage`, or limit max_calls instead.",
        "{system}：{option} 需要 token 数，但描述中没有说明它在响应中的位置。请加上 usage，或改用 max_calls。",
    ),
    "budget.calls": Text("calls", "次请求"),
    "budget.tokens": Text("tokens", "个 token"),
    "budget.cost": Text("cost", "费用"),
    "budget.seconds": Text("seconds", "秒"),
    "ask.circuit_open": Text(
        "the endpoint has been down for {seconds} s, last: {problem}. Bring it up and resume the run.",
        "接口已中断 {seconds} 秒，最近一次：{problem}。请恢复服务后继续该运行。",
    ),
    "ask.shut_out": Text(
        "the key was refused {number} times and nothing was answered, last: {problem}. Then go on with: ragstone resume RUN --retry-failed.",
        "密钥已被拒绝 {number} 次，没有任何回答，最近一次：{problem}。改正后请用 ragstone resume RUN --retry-failed 继续。",
    ),
    "ask.env": Text(
        "{file}: {owner} needs the environment variable {variable}, which is {problem}. Set it, or write it into .env.",
        "{file}：{owner} 需要环境变量 {variable}（{problem}）。请设置它，或写入 .env。",
    ),
    "ask.keys": Text(
        "{file}: {names:and} must be set first. Type: export {typed} with your own values, or write such lines into .env.",
        "{file}：请先设置 {names:and}。输入 export {typed}（填入您自己的值），或写入 .env。",
    ),
    "ask.variables": Text(
        "{file}: {names:and} must be set first. Type: export {typed} with your own values, or write such lines into .env ({options:and} does as well).",
        "{file}：请先设置 {names:and}。输入 export {typed}（填入您自己的值），或写入 .env（也可用 {options:and}）。",
    ),
    "ask.key_empty": Text(
        '{file}: {owner} has an empty api_key. Write "${{NAME}}" and set that variable, or leave api_key out.',
        '{file}：{owner} 的 api_key 为空。请写成 "${{NAME}}" 并设置该变量，或去掉 api_key。',
    ),
    "ask.url": Text(
        "'{url}' is not an http(s) address. Write it like http://127.0.0.1:8000/v1.",
        "“{url}”不是 http(s) 地址。请写成 http://127.0.0.1:8000/v1 的形式。",
    ),
    "ask.proxy": Text(
        "{name}: this is not a proxy's address. Write it with its scheme (http, https, socks5 or socks5h), like {example}.",
        "{name}：不是代理地址。请写明协议（http、https、socks5 或 socks5h），例如 {example}。",
    ),
    "ask.client_cert": Text(
        "{file}: the client certificate cannot be used: {problem}. Give PEM files (client_cert, and client_key where the key is in a file of its own); the password of an encrypted key is read from the variable named by client_key_password_env.",
        "{file}：无法使用客户端证书：{problem}。请给出 PEM 文件（client_cert；密钥单独存放时再给 client_key）；加密密钥的密码取自 client_key_password_env 指定的环境变量。",
    ),
    "ask.header": Text(
        "The value of the header '{name}' holds a line break, which no header can carry. Look for one at the end of the key or in the file it comes from.",
        "请求头“{name}”的值含有换行符，无法发送。请检查密钥末尾或其来源文件。",
    ),
    "ask.base_url": Text(
        "{system}: where is the endpoint? Set OPENAI_BASE_URL, such as https://api.example.com/v1, or give base_url or registry.",
        "{system}：缺少接口地址。请设置 OPENAI_BASE_URL（例如 https://api.example.com/v1），或给出 base_url 或 registry。",
    ),
    "ask.ca_file": Text(
        "{file}: the certificates cannot be used: {problem}. Give a PEM file.",
        "{file}：无法使用证书：{problem}。请给出 PEM 文件。",
    ),
    "ask.option_key": Text(
        "{system}: there is no option {names:or}. Keys are taken from the environment, not from the command line: set the variable that the service's description names; a chat endpoint's is named by api_key_env.",
        "{system}：没有选项 {names:or}。密钥取自环境变量，不在命令行中给出：请设置服务描述中写明的变量；chat 接口的变量名由 api_key_env 指定。",
    ),
    "ask.option_unknown": Text(
        "{system}: there is no option {names:or}.{near:near} Options are: {known:and}.",
        "{system}：没有选项 {names:or}。{near:near}可用选项：{known:and}。",
    ),
    "ask.option_value": Text(
        "{system}: the option {name:q} cannot be {value:q}. Allowed: {allowed}",
        "{system}：选项 {name:q} 不能是 {value:q}。允许：{allowed}",
    ),
    "ask.price": Text(
        "{owner}: price_config is wrong at {names:and}. Prices are numbers of 0 or more; known: {known:and}.",
        "{owner}：price_config 有误：{names:and}。价格须为不小于 0 的数；可用：{known:and}。",
    ),
    "ask.file": Text(
        "{file}: cannot be read: {problem}. Give a YAML or JSON file.",
        "{file}：无法读取：{problem}。请给出 YAML 或 JSON 文件。",
    ),
    "ask.model_unknown": Text(
        "{file}: there is no model '{name}'. Known: {known:and}.", "{file}：没有模型“{name}”。可用：{known:and}。"
    ),
    "ask.model_field": Text(
        "{file}: model '{name}': {problem}. Correct it.", "{file}：模型“{name}”：{problem}。请修正。"
    ),
    "ask.mapping": Text(
        "{file}: the service description is wrong: {problem}. docs/systems.md shows a complete one.",
        "{file}：服务描述有误：{problem}。完整示例见 docs/systems.md。",
    ),
    "ask.preset_unknown": Text(
        "http_json:{name}: neither a file nor a preset. Presets are: {known:and}.{near:near}",
        "http_json:{name}：既不是文件也不是预设。可用预设：{known:and}。{near:near}",
    ),
    "ask.cache": Text(
        "{file}: the response cache cannot be used: {problem}. Name another file, or leave cache out.",
        "{file}：无法使用响应缓存：{problem}。请换一个文件，或去掉 cache。",
    ),
    "notice.paused": Text(
        "the endpoint seems to be down ({problem}); paused, trying again in {seconds} s",
        "接口似乎已中断（{problem}）；已暂停，{seconds} 秒后重试",
    ),
    "notice.env_line": Text(
        "{place}: not a NAME=VALUE line, ignored",
        "{place}：不是 NAME=VALUE 形式的行，已跳过",
    ),
    "notice.resumed": Text(
        "the endpoint answers again after {seconds} s; going on", "接口在 {seconds} 秒后恢复；继续运行"
    ),
    "notice.slowed": Text("too many requests; going on with {limit} at a time", "请求过多；并发降为 {limit}"),
    "notice.stopping": Text(
        "stopping: what is in flight is finished and kept, nothing new is asked; press Ctrl-C again to drop it",
        "正在停止：已发出的请求会等其完成并保存，不再提出新的问题；再按一次 Ctrl-C 则放弃它们",
    ),
    "notice.stopped": Text(
        "the run was stopped ({signal}) before its end; every answer so far is kept",
        "运行被中途停止（{signal}）；已得到的回答均已保存",
    ),
    "notice.cancelled": Text(
        "the run was cancelled before its end; every answer so far is kept",
        "运行被取消；已得到的回答均已保存",
    ),
    "notice.only_quotes": Text(
        "the built-in RAG quotes sentences and writes no JSON, so every case will score 0. Let a model write the answers: -O chat=chat:MODEL",
        "内置 RAG 只摘录句子，不会写出 JSON，所有用例都将得 0 分。请让模型作答：-O chat=chat:模型",
        "內建 RAG 只摘錄句子，不會寫出 JSON，所有用例都將得 0 分。請讓模型作答：-O chat=chat:模型",
    ),
    "notice.handles": Text(
        "this process may open only few files; going on with {limit} requests at a time (more with: ulimit -n)",
        "本进程可打开的文件数有限；并发降为 {limit}（可用 ulimit -n 调高）",
    ),
    "notice.scorer_changed": Text(
        "the run was begun with another scorer ({was}); every answer it has is scored again with the installed one",
        "该运行开始时使用的是另一个评分器（{was}）；已有的回答全部用现在的评分器重新评分",
    ),
    "notice.salvaged": Text(
        "{kept:answer is|answers are} kept; {dropped:line|lines} of the journal cannot be read: what was answered there is asked again. What was there stays in {file}.",
        "保留 {kept} 个回答；日志中有 {dropped} 行不可信，其问题会重新提出。原有各行保留在 {file} 中。",
    ),
    "notice.salvaged_judge": Text(
        "{kept:reply|replies} of judges kept; {dropped:line|lines} of judgements.jsonl cannot be read: what was asked there is asked again (where no judge is asked now: ragstone judge {run}). What was there stays in {file}.",
        "保留裁判的 {kept} 个回复；judgements.jsonl 中有 {dropped} 行不可信，其问题会重新提出（本次不向裁判提问时：ragstone judge {run}）。原有各行保留在 {file} 中。",
    ),
    "notice.cut_short": Text(
        "the process that worked on this run before was killed; questions it had asked and not yet recorded ({most} at most, by this concurrency) are asked a second time",
        "先前处理该运行的进程意外结束；它已提出但尚未记录的问题（按当前并发最多 {most} 个）会再问一次",
    ),
    "notice.cache_set_aside": Text(
        "{file}: the response cache was damaged and is set aside as {aside}; a new one is started",
        "{file}：响应缓存已损坏，已移至 {aside}；将新建缓存",
    ),
    "notice.cache_off": Text(
        "{file}: answers cannot be cached: {problem}; going on without",
        "{file}：无法缓存回答：{problem}；继续运行但不缓存",
    ),
    # the page
    "serve.token": Text(
        "{host}: listening beyond this machine needs a token of {least} characters or more, {different} of them different. Set RAGSTONE_TOKEN, or leave --host out.",
        "{host}：监听本机以外的地址需要至少 {least} 个字符、其中至少 {different} 个不同的令牌。请设置 RAGSTONE_TOKEN，或去掉 --host。",
    ),
    "serve.weak_token": Text(
        "the token is too weak: it has {length} character(s), {found} of them different. Set RAGSTONE_TOKEN to {least} characters or more, at least {different} of them different.",
        "令牌太弱：共 {length} 个字符，其中 {found} 个不同。请将 RAGSTONE_TOKEN 设为至少 {least} 个字符，其中至少 {different} 个不同。",
    ),
    "serve.port": Text(
        "{host}:{port}: cannot listen there: {problem}. Choose another --port.",
        "{host}:{port}：无法监听：{problem}。请换一个 --port。",
    ),
    "page.host": Text(
        "{host:q} is not a name of this server. Add it to allowed_hosts if it should be.",
        "{host:q} 不是本服务器的名称。如确需使用，请加入 allowed_hosts。",
    ),
    "page.origin": Text(
        "the request comes from another site ({origin:q}) and is refused.", "请求来自其他网站（{origin:q}），已拒绝。"
    ),
    "page.csrf": Text(
        "the request carries no valid X-Ragstone-Token. Load the page again; programs take it from /api/v1/session.",
        "请求缺少有效的 X-Ragstone-Token。请刷新页面；程序可从 /api/v1/session 获取。",
    ),
    "page.login": Text("log in first, or send the token as bearer.", "请先登录，或以 Bearer 方式发送令牌。"),
    "page.wrong_token": Text("this is not the token.", "令牌不正确。"),
    "page.tries": Text(
        "too many wrong tokens from this address. Wait a minute.", "该地址提交的错误令牌过多。请一分钟后再试。"
    ),
    "page.slow": Text("the request body arrived too slowly and was dropped.", "请求内容传输过慢，已放弃。"),
    "page.queue": Text(
        "{number} runs are waiting already. Wait for some of them, or cancel some.",
        "已有 {number} 个运行在排队。请等待或取消其中一些。",
    ),
    "page.full": Text(
        "the datasets folder holds {number} datasets already. Remove some of them.",
        "样例集文件夹中已有 {number} 个样例集。请先移除一些。",
    ),
    "page.disk": Text("the file cannot be kept: {problem}.", "文件无法保存：{problem}。"),
    "page.code": Text(
        "run {run:q} names {name:q}, which the page does not offer: only ragstone.toml says what the page may load and ask. Continue it with `ragstone resume`, or list it there.",
        "运行 {run:q} 用到 {name:q}，本页面并未提供：页面可以加载和询问什么，只由 ragstone.toml 决定。请用 `ragstone resume` 继续，或在其中列出。",
        "該執行（{run:q}）用到 {name:q}，本頁面並未提供：頁面可以載入和詢問什麼，只由 ragstone.toml 決定。請用 `ragstone resume` 繼續，或在其中列出。",
    ),
    "page.damaged": Text(
        "run {run:q} cannot be read: its files are damaged. `ragstone verify` says where.",
        "运行 {run:q} 无法读取：文件已损坏。`ragstone verify` 会指出位置。",
    ),
    "name.in_run": Text(
        "{name:q} lies inside a run folder, and no code is taken from there.",
        "{name:q} 位于运行文件夹内，其中的代码不会被执行。",
    ),
    "page.too_large": Text(
        "larger than {limit} MB. Split the file, or raise max_upload_mb.",
        "超过 {limit} MB。请拆分文件，或调高 max_upload_mb。",
    ),
    "page.file_name": Text(
        "{name:q} cannot be a file name here. Use letters, digits, - and _, ending in {kinds}.",
        "{name:q} 不能作为文件名。请使用文字、数字、- 与 _，并以 {kinds} 结尾。",
    ),
    "page.file_type": Text(
        "{name:q} holds no JSON. Datasets are JSONL (one object a line) or JSON.",
        "{name:q} 不是 JSON。样例集应为 JSONL（每行一个对象）或 JSON。",
    ),
    "page.unrecognised": Text(
        "{file}: no contract recognises this dataset (its first row has: {fields}). Choose its contract under “More”: {known}.",
        "{file}：没有契约能识别该样例集（首行字段：{fields}）。请在“更多选项”中选择契约：{known}。",
    ),
    "page.dataset": Text(
        "there is no dataset {name:q}. Drop a file, or put one into {folder}.",
        "没有样例集 {name:q}。请拖入文件，或放入 {folder}。",
    ),
    "page.system": Text(
        "there is no system {name:q} to choose here. Name it in ragstone.toml as [systems.NAME].",
        "没有可选的系统 {name:q}。请在 ragstone.toml 中以 [systems.名称] 配置。",
    ),
    "page.judge": Text(
        "there is no judge {name:q} to choose here. Name it in ragstone.toml as [judge], or as a chat endpoint.",
        "没有可选的裁判 {name:q}。请在 ragstone.toml 中以 [judge] 配置，或配置对话接口。",
    ),
    "page.judge_stopped": Text(
        "the judge stopped: {why}. Figures by rule are complete; judge the run again to go on.",
        "裁判中止：{why}。规则得出的数值是完整的；再次裁判即可继续。",
    ),
    "page.documents": Text(
        "the built-in RAG needs a folder named documents beside the dataset.",
        "内置 RAG 需要样例集旁有名为 documents 的文件夹。",
    ),
    "page.draft_name": Text(
        "{name:q} cannot be the name of a dataset. Use letters, digits, spaces, - and _.",
        "{name:q} 不能作为样例集名称。请使用文字、数字、空格、- 与 _。",
    ),
    "page.unsound": Text(
        "{file}: this draft cannot be accepted as it is; the problems are listed below. Correct its row in the file, or reject it (2).",
        "{file}：该草稿目前不能接受，原因见下。请在文件中改正该行，或拒绝它（2）。",
        "{file}：該草稿目前不能接受，原因見下。請在檔案中改正該列，或拒絕它（2）。",
    ),
    "page.stale": Text(
        "{document}, page {page}: {quote:q} is not there any more: the document changed.",
        "{document} 第 {page} 页：{quote:q} 已不在文中：文档已变动。",
    ),
    "page.reframed": Text(
        "{document}, page {page}: {quote:q} stood under {was:q}, now under {now:q}: the document changed.",
        "{document} 第 {page} 页：{quote:q} 原来在 {was:q} 之下，现在在 {now:q} 之下：文档已变动。",
    ),
    "page.documents_there": Text(
        "{number:document|documents} of an earlier upload lie under the name {name:q}. Choose another name.",
        "名称 {name:q} 下已有先前上传的 {number} 份文档。请换一个名称。",
    ),
    "page.no_documents": Text(
        "there are no documents to draft from. Add some, or choose a dataset that has them.",
        "没有可供起草的文档。请先添加，或选择带有文档的样例集。",
        "沒有可供起草的文件。請先新增，或選擇帶有文件的樣例集。",
    ),
    "page.endpoint": Text(
        "{url:q} may not be asked from the page. Allowed: {allowed}. Add its address to allowed_endpoints.",
        "页面不允许访问 {url:q}。允许：{allowed}。请将该地址加入 allowed_endpoints。",
    ),
    "page.run": Text("there is no run {name:q} here.", "没有名为 {name:q} 的运行。"),
    "page.case": Text("run {run:q} has no case number {number}.", "运行 {run:q} 没有第 {number} 个用例。"),
    "page.table_type": Text(
        "{name:q} is not what its name says: a CSV is text, an .xlsx a workbook.",
        "{name:q} 与其扩展名不符：CSV 应为文本，.xlsx 应为工作簿。",
        "{name:q} 與其副檔名不符：CSV 應為文字，.xlsx 應為活頁簿。",
    ),
    "page.system_name": Text(
        "{name:q} cannot be the name of a system: use up to 60 letters, digits, spaces, . - @ and round brackets, a letter or digit first.",
        "{name:q} 不能作为系统名称：请用不超过 60 个文字、数字、空格、. - @ 和圆括号，以文字或数字开头。",
        "{name:q} 不能作為系統名稱：請用不超過 60 個文字、數字、空格、. - @ 和圓括號，以文字或數字開頭。",
    ),
    "page.system_taken": Text(
        "There is a system {name:q} already; choose another name.", "已有名为 {name:q} 的系统，请另取名称。"
    ),
    "page.key": Text(
        "this cannot be a key: it holds spaces or signs that no header can carry.",
        "密钥无效：含有空格或请求头不能携带的字符。",
    ),
    "page.variable": Text(
        "the variable {name:q} is not sent from here: its name must be in capitals and end in KEY or TOKEN, and the page be open to this machine only. Type the key instead.",
        "此处不发送变量 {name:q}：名称须为大写并以 KEY 或 TOKEN 结尾，且页面只对本机开放。请改为直接输入密钥。",
    ),
    "page.many_systems": Text(
        "{number} systems are remembered already. Remove some of them.", "已保存 {number} 个系统。请先移除一些。"
    ),
    "page.alone": Text(
        "a dry run and an endpoint without a name cannot be asked beside other systems. Give the endpoint a name.",
        "试运行和未命名的接口不能与其他系统一起评测。请为接口命名。",
    ),
    "page.own_documents": Text(
        "documents can be added to datasets that were brought to the page; {name:q} is not one of them.",
        "只能为上传到页面的样例集添加文档；{name:q} 不是。",
        "只能為上傳到頁面的樣例集新增文件；{name:q} 不是。",
    ),
    "page.many_documents": Text(
        "this dataset has {number:document|documents} already; more are not taken.",
        "该样例集已有 {number} 个文档，不再接收。",
    ),
    "page.zip": Text("the zip cannot be read: {problem}", "zip 文件无法读取：{problem}"),
    "page.unpacks": Text(
        "the zip unpacks to more than the page takes. Send its documents in several parts.",
        "zip 解压后超出上限。请分几次上传。",
        "zip 解壓後超出上限。請分幾次上傳。",
    ),
    "page.not_rows": Text(
        "the rows of {name:q} cannot be shown here: it is not a single file, or too large.",
        "无法在此显示 {name:q} 的行：它不是单个文件，或过大。",
        "無法在此顯示 {name:q} 的列：它不是單一檔案，或過大。",
    ),
    "page.row": Text(
        "{name:q} has no row number {number}.", "{name:q} 没有第 {number} 行。", "{name:q} 沒有第 {number} 列。"
    ),
    "page.answers": Text(
        "{name:q} holds no recorded answers that can be read: {problem}", "{name:q} 中没有可读取的回答记录：{problem}"
    ),
    "page.no_case": Text("there is no case {id:q} in {run}.", "{run} 中没有用例 {id:q}。"),
    "page.no_cases": Text("none of these cases is in {name:q} any more.", "这些用例已不在 {name:q} 中。"),
    "page.not_cut": Text(
        "{name:q} cannot be cut into cases here. Use a dataset that is one file of JSON or JSONL.",
        "{name:q} 无法在此拆分。请使用单个 JSON 或 JSONL 文件的样例集。",
    ),
    "page.file": Text("run {run:q} has no file {name:q}.", "运行 {run:q} 没有文件 {name:q}。"),
    "page.going": Text("run {run:q} is going on already.", "运行 {run:q} 正在进行中。"),
    "page.idle": Text("run {run:q} is not going on here.", "运行 {run:q} 当前没有在此进行。"),
    "page.query": Text("{field}: {problem}", "{field}：{problem}"),
    "page.missing": Text("there is nothing here.", "这里没有内容。"),
    "page.bug": Text(
        "something went wrong in Ragstone itself ({problem}); the server's log has more.",
        "Ragstone 内部出错（{problem}）；详情见服务器日志。",
    ),
    # trust
    "run.silent": Text(
        "{model} cannot be asked for {id:q}: only recorded answers are scored here.",
        "无法向 {model} 提问 {id:q}：此处只对已录制的回答评分。",
    ),
    "run.row": Text(
        "{file}:{line}: the row cannot be read: {problem}. Make the file again with: ragstone resume, or restore it.",
        "{file}:{line}：无法读取该行：{problem}。请用 ragstone resume 重新生成，或恢复该文件。",
    ),
    "compare.models": Text(
        "the runs have no model in common: {first} against {second}. Compare runs of one model each, or of the same models.",
        "两次运行没有共同的模型：{first} 与 {second}。请比较各含一个模型、或模型相同的运行。",
    ),
    "compare.same": Text(
        "{run}: a run cannot be compared with itself. Name another run.",
        "{run}：运行不能与自身比较。请指定另一次运行。",
    ),
    "compare.nothing": Text(
        "{first} and {second} have no case in common. Compare runs over the same dataset.",
        "{first} 与 {second} 没有共同的用例。请比较同一样例集上的运行。",
    ),
    "gate.rule": Text(
        "{rule:q} is not a rule. Write for example: 'accuracy >= 0.9', 'pass_rate >= 80% for type=fact_exact', 'drop(accuracy) <= 0.02', 'no_new_failures', 'cost <= 1.5'.",
        "{rule:q} 不是规则。示例：'accuracy >= 0.9'、'pass_rate >= 80% for type=fact_exact'、'drop(accuracy) <= 0.02'、'no_new_failures'、'cost <= 1.5'。",
    ),
    "gate.figure": Text(
        "rule {rule:q}: this run has no figure {figure:q}.{near:near} It has: {known:and}.",
        "规则 {rule:q}：该运行没有指标 {figure:q}。{near:near}可用：{known:and}。",
    ),
    "gate.group": Text(
        "rule {rule:q}: the cases of this run have no group {group:q}. Groups are: {known:and}.",
        "规则 {rule:q}：该运行的用例没有分组 {group:q}。可用分组：{known:and}。",
    ),
    "gate.value": Text(
        "rule {rule:q}: no case has {group} = {value:q}. Values are: {known:and}.",
        "规则 {rule:q}：没有用例的 {group} 为 {value:q}。可用值：{known:and}。",
    ),
    "gate.no_baseline": Text(
        "rule {rule:q} compares with a baseline, and there is none. Name one with --baseline RUN.",
        "规则 {rule:q} 需要基线运行。请用 --baseline RUN 指定。",
    ),
    "gate.no_auto": Text(
        "{folder} holds no run that {run} can be compared with: an earlier, complete one of the same task, models, prompt version and scorer version that did not fail its gate. Name one with --baseline RUN, or pin one with: ragstone gate RUN --pin NAME.",
        "{folder} 中没有可与 {run} 比较的运行：须为更早、完整、任务与模型及提示词版本和评分器版本都相同且未被门禁否决的运行。请用 --baseline RUN 指定，或用 ragstone gate RUN --pin NAME 固定一次运行。",
    ),
    "gate.no_rules": Text(
        "the gate has no rules. Give some with --rule 'accuracy >= 0.9' or --file gate.yaml, or a --baseline.",
        "门禁没有规则。请用 --rule 'accuracy >= 0.9' 或 --file gate.yaml 给出，或指定 --baseline。",
    ),
    "gate.file": Text(
        "{file}: the gate file cannot be used: {problem}. docs/trust.md shows a complete one.",
        "{file}：无法使用门禁文件：{problem}。完整示例见 docs/trust.md。",
    ),
    "gate.unwritable": Text(
        "{file}: cannot be written: {problem}. Name a file in a folder that exists.",
        "{file}：无法写入：{problem}。请指定已存在文件夹中的文件。",
    ),
    "gate.unkept": Text(
        "{folder}: the verdict stands, but {file} could not be written: {problem}.",
        "{folder}：结论有效，但无法写入 {file}：{problem}。",
    ),
    "gate.own": Text(
        "no rule was given, so those of the contract {contract} hold: {rules}",
        "未给出规则，采用契约 {contract} 自身的规则：{rules}",
    ),
    "gate.range": Text(
        "{file}: minimum_coverage must lie between 0 and 1, confidence above 0.5 and below 1.",
        "{file}：minimum_coverage 须在 0 与 1 之间，confidence 须大于 0.5 且小于 1。",
    ),
    "gate.complete": Text("the run is complete: {finished} of {expected}", "运行完整：{finished}/{expected}"),
    "gate.partial": Text(
        "the run is not complete: {answered} of {expected:answer|answers}; continue it with: ragstone resume",
        "运行不完整：{answered}/{expected}；请用 ragstone resume 继续",
    ),
    "gate.partial_imported": Text(
        "the imported run is not complete: {finished} of {expected:answer|answers}; run it again in the tool that made it, and import that run",
        "导入的运行不完整：{finished}/{expected}；请在原工具中重新运行后再导入",
    ),
    "gate.stale": Text(
        "the figures were made by another scorer ({version}, other code) than the installed one; score them again with: ragstone rescore",
        "指标由另一版本的评分器（{version}，代码不同）得出；请用 ragstone rescore 重新评分",
    ),
    "gate.coverage": Text(
        "answered {value}, at least {limit} needed ({cases:case|cases}: scored {scored}, failed {errored}, unreadable {unparsed}, not asked {unasked}){sample}",
        "回答率 {value}，要求至少 {limit}（用例 {cases}：已评分 {scored}，失败 {errored}，无法解析 {unparsed}，未提问 {unasked}）{sample}",
    ),
    "gate.uncovered": Text(
        "answered only {value}, at least {limit} needed ({cases:case|cases}: scored {scored}, failed {errored}, unreadable {unparsed}, not asked {unasked}){sample}; ask again with: {resume}",
        "回答率仅 {value}，要求至少 {limit}（用例 {cases}：已评分 {scored}，失败 {errored}，无法解析 {unparsed}，未提问 {unasked}）{sample}；请用 {resume} 补齐",
    ),
    "gate.uncovered_imported": Text(
        "answered only {value}, at least {limit} needed ({cases:case|cases}: scored {scored}, failed {errored}, unreadable {unparsed}, not asked {unasked}){sample}; run it again in the tool that made it, and import that run",
        "回答率仅 {value}，要求至少 {limit}（用例 {cases}：已评分 {scored}，失败 {errored}，无法解析 {unparsed}，未提问 {unasked}）{sample}；请在原工具中重新运行后再导入",
    ),
    "gate.mock": Text(
        "the run is a dry run (--mock): its answers were made of what is expected, and no system was measured. Run it again without --mock",
        "该运行是试运行（--mock）：回答由标准答案生成，没有测量任何系统。请去掉 --mock 重新运行",
    ),
    "gate.unanswered": Text(
        "{figure} has no value: not one of {errored:case was|cases was} answered",
        "{figure} 没有数值：{errored} 个用例无一得到回答",
        "{figure} 沒有數值：{errored} 個用例無一得到回答",
    ),
    "gate.cached": Text(
        "{cached} of {answers:answer|answers} came from the cache: this run did not ask the system for them",
        "{answers} 个回答中有 {cached} 个来自缓存：本次运行没有为其向系统提问",
        "{answers} 個回答中有 {cached} 個來自快取：本次執行沒有為其向系統提問",
    ),
    "gate.all_cached": Text(
        "{cached} of {answers:answer|answers} came from the cache: nothing was asked, so this run shows what the scorer does, not what the system does. Run it again without the cache (or with --no-cache), or compare the scorer with --allow-cached",
        "{answers} 个回答中有 {cached} 个来自缓存：没有向系统提问，本次运行只反映评分器，不反映系统。请不用缓存（或加 --no-cache）重新运行；只比较评分器请加 --allow-cached",
        "{answers} 個回答中有 {cached} 個來自快取：沒有向系統提問，本次執行只反映評分器，不反映系統。請不用快取（或加 --no-cache）重新執行；只比較評分器請加 --allow-cached",
    ),
    "gate.untimed": Text(
        "{figure}: {cached} of {answers:answer|answers} came from the cache, and their latency is that of another run; at least {limit} must have been asked for in this one",
        "{figure}：{answers} 个回答中有 {cached} 个来自缓存，其延迟属于另一次运行；要求至少 {limit} 为本次提问所得",
        "{figure}：{answers} 個回答中有 {cached} 個來自快取，其延遲屬於另一次執行；要求至少 {limit} 為本次提問所得",
    ),
    "gate.lost": Text(
        "the tool that was imported from could not give {figure} for {lost} of {cases:case|cases}, at least {limit} of them needed; run it again there, and import that run",
        "原工具有 {lost}/{cases} 个用例未能给出 {figure}，要求至少 {limit} 的用例有数值；请在原工具中重新运行后再导入",
    ),
    "gate.altered": Text(
        "{files:and} changed after the run had ended; see what with: ragstone verify, and make the figures again with: ragstone rescore",
        "运行结束后，{files:and} 被改动过；请用 ragstone verify 查看，并用 ragstone rescore 重新得出指标",
    ),
    "report.altered": Text(
        "warning: {files:and} changed after the run had ended: these figures may not be those that were measured. See what changed with: ragstone verify",
        "警告：运行结束后，{files:and} 被改动过：以下指标可能不是测得的结果。请用 ragstone verify 查看改动。",
    ),
    "gate.shard": Text(
        "the run is only part {shard} of a larger one; join the parts first with: ragstone merge",
        "该运行只是更大运行的第 {shard} 部分；请先用 ragstone merge 合并",
    ),
    "gate.scale": Text(
        "rule {rule:q}: {figure} lies between 0 and {top}, a limit of {limit} is beyond it and would decide nothing. Did you mean {meant}?",
        "规则 {rule:q}：{figure} 在 0 与 {top} 之间，限值 {limit} 超出范围，不起作用。是否应为 {meant}？",
    ),
    "gate.share": Text(
        "rule {rule:q}: {figure} lies between 0 and 100, and a limit of {limit} would hold for almost any answer. Did you mean {meant}?",
        "规则 {rule:q}：{figure} 在 0 与 100 之间，限值 {limit} 几乎总能满足。是否应为 {meant}？",
        "規則 {rule:q}：{figure} 在 0 與 100 之間，限值 {limit} 幾乎總能滿足。是否應為 {meant}？",
    ),
    "gate.no_value": Text(
        "{figure} has no value: it applied to no case, or was not recorded (limit {limit}, n = {n}, value {value})",
        "{figure} 没有数值：不适用于任何用例，或未记录（限值 {limit}，n = {n}，数值 {value}）",
    ),
    "gate.at_least": Text(
        "{figure} is {value}{interval}, n = {n}; at least {limit} needed",
        "{figure} 为 {value}{interval}，n = {n}；要求至少 {limit}",
    ),
    "gate.at_most": Text(
        "{figure} is {value}{interval}, n = {n}; at most {limit} allowed",
        "{figure} 为 {value}{interval}，n = {n}；要求至多 {limit}",
    ),
    "gate.undecided": Text(
        "{figure} is {value}{interval}, n = {n}: the limit {limit} lies inside what these cases can tell{unsure}",
        "{figure} 为 {value}{interval}，n = {n}：限值 {limit} 落在这些用例所能分辨的区间之内{unsure}",
    ),
    "gate.unchanged": Text(
        "{figure} is the same in every one of {n:case|cases} ({first} and {second}){means}",
        "{figure} 在全部 {n} 个用例中均未变化（{first} 与 {second}）{means}",
    ),
    "gate.not_worse": Text(
        "{figure} {first} to {second}: a drop of {value}{interval}, n = {n}; surely not more than {limit} ({gained} better, {lost} worse; {found}){means}",
        "{figure} 由 {first} 到 {second}：下降 {value}{interval}，n = {n}；可以确定不超过 {limit}（变好 {gained}，变差 {lost}；{found}）{means}",
    ),
    "gate.worse": Text(
        "{figure} {first} to {second}: a drop of {value}{interval}, n = {n}; surely more than {limit} ({gained} better, {lost} worse; {found}){means}",
        "{figure} 由 {first} 到 {second}：下降 {value}{interval}，n = {n}；可以确定超过 {limit}（变好 {gained}，变差 {lost}；{found}）{means}",
    ),
    "gate.drop_undecided": Text(
        "{figure} {first} to {second}: a drop of {value}{interval}, n = {n}; these cases cannot tell it from {limit} ({gained} better, {lost} worse; {found}){means}{unsure}",
        "{figure} 由 {first} 到 {second}：下降 {value}{interval}，n = {n}；这些用例无法判断是否超过 {limit}（变好 {gained}，变差 {lost}；{found}）{means}{unsure}",
    ),
    "gate.new_failures": Text(
        "{lost} of the {passed:case|cases} that passed in the baseline now fail: {cases:and} ({n:case|cases} compared, {gained} newly pass){means}",
        "基线中通过的 {passed} 个用例中有 {lost} 个现在失败：{cases:and}（共比较 {n} 个，新通过 {gained} 个）{means}",
    ),
    "gate.no_new_failures": Text(
        "none of the {passed:case|cases} that passed in the baseline fails now ({n:case|cases} compared, {gained} newly pass){means}",
        "基线中通过的 {passed} 个用例现在均未失败（共比较 {n} 个，新通过 {gained} 个）{means}",
    ),
    "gate.baseline_scorer": Text(
        "the baseline {baseline} was scored by another scorer; score it again with: ragstone rescore ({paired} paired, {missing} missing)",
        "基线 {baseline} 由另一版本的评分器评分；请用 ragstone rescore 重新评分（配对 {paired}，缺少 {missing}）",
    ),
    "gate.baseline_judging": Text(
        "the baseline {baseline} was judged differently: by another judge, certificate or version of the judging rules; have the same judge decide both runs (ragstone judge RUN --judge …)",
        "基线 {baseline} 的裁判方式不同：裁判、证书或裁判规则的版本不一样；请用同一裁判重新评判两次运行（ragstone judge RUN --judge …）",
    ),
    "gate.baseline_prompt": Text(
        "the prompt is not that of the baseline {baseline}, and has the same version; raise its version, then compare ({paired} paired, {missing} missing)",
        "提示词与基线 {baseline} 不同，版本号却相同；请先提升版本号再比较（配对 {paired}，缺少 {missing}）",
    ),
    "gate.baseline_partial": Text(
        "the baseline {baseline} is not complete: {answered} of {expected:answer|answers}; continue it with: ragstone resume, or name another",
        "基线 {baseline} 不完整：{answered}/{expected}；请用 ragstone resume 继续，或换一个基线",
    ),
    "gate.baseline_mock": Text(
        "the baseline {baseline} is a dry run (--mock): its answers were made of what is expected. Name a run that asked a system",
        "基线 {baseline} 是试运行（--mock）：其回答由标准答案生成。请指定向系统提问过的运行",
    ),
    "gate.baseline_altered": Text(
        "{files:and} of the baseline {baseline} changed after that run had ended; see what with: ragstone verify, or name another",
        "基线 {baseline} 结束后，{files:and} 被改动过；请用 ragstone verify 查看，或换一个基线",
        "基線 {baseline} 結束後，{files:and} 被改動過；請用 ragstone verify 查看，或換一個基線",
    ),
    "gate.baseline_shard": Text(
        "the baseline {baseline} is only part {shard} of a larger run; join the parts first with: ragstone merge",
        "基线 {baseline} 只是更大运行的第 {shard} 部分；请先用 ragstone merge 合并",
    ),
    "gate.baseline_uncovered": Text(
        "the baseline {baseline} answered only {value}, at least {limit} needed ({cases:case|cases}: scored {scored}, failed {errored}, unreadable {unparsed}, not asked {unasked}); fix it with: {resume}, or name another",
        "基线 {baseline} 的回答率仅 {value}，要求至少 {limit}（用例 {cases}：已评分 {scored}，失败 {errored}，无法解析 {unparsed}，未提问 {unasked}）；请用 {resume} 补齐，或换一个基线",
    ),
    "gate.one_partial": Text(
        "this run or the baseline {baseline} is not complete ({paired} paired, {missing} missing)",
        "该运行或基线 {baseline} 不完整（配对 {paired}，缺少 {missing}）",
    ),
    "gate.baseline_cases": Text(
        "too many cases of the baseline {baseline} are not in this run with the same question: {missing} are gone or have another wording, {paired} are paired",
        "基线 {baseline} 的用例在本次运行中缺少过多：{missing} 个已删除或问题文字不同，配对 {paired}",
    ),
    "verify.altered": Text(
        "{what} was changed by something other than the run; this was found when the run was continued",
        "{what} 曾在运行之外被改动；继续运行时已发现",
    ),
    "verify.changed": Text("{what} has changed (was {was}, is {now})", "{what} 已改变（原为 {was}，现为 {now}）"),
    "verify.changed_files": Text(
        "{what} has changed (was {was}, is {now}): {files:and}", "{what} 已改变（原为 {was}，现为 {now}）：{files:and}"
    ),
    "verify.glossary": Text(
        "the glossary {what} has changed; the rows were scored by the run's own copy",
        "词汇表 {what} 已改变；评分使用的是运行自带的副本",
    ),
    "verify.missing": Text("{what} is missing", "{what} 缺失"),
    "verify.absent": Text(
        "{what} is not here, so it cannot be checked whether the system is still the one that was asked",
        "{what} 不在此处：无法判断系统是否仍是当时提问的系统",
    ),
    "verify.unsealed": Text(
        "the run holds no hashes of its files; only what was scored could be checked",
        "该运行没有记录文件哈希；只能检查评分结果",
    ),
    "verify.interrupted": Text(
        "the run was interrupted; {answers} of {expected:answer is|answers are} kept; continue it with: ragstone resume",
        "运行被中断；已保存 {answers}/{expected} 个回答；请用 ragstone resume 继续",
    ),
    "verify.running": Text(
        "the run is still going on; {answers} of {expected:answer is|answers are} there",
        "运行仍在进行；已得到 {answers}/{expected} 个回答",
    ),
    "verify.unusable": Text("the answers cannot be scored again: {problem}", "无法重新评分：{problem}"),
    "verify.installed": Text(
        "other packages or versions are installed than when the run was made", "已安装的软件包与运行时不同"
    ),
    # importing
    "import.unknown": Text(
        "{file}: this is not a result of a known tool ({known}). Say which one made it with --from, or see docs/import.md for what each one writes.",
        "{file}：无法识别为已知工具（{known}）的结果。请用 --from 指定工具；各工具的文件格式见 docs/import.zh.md。",
    ),
    "import.missing": Text(
        "{file}: no such file or folder. Give what the other tool wrote.",
        "{file}：文件或文件夹不存在。请给出其他工具写出的结果。",
    ),
    "import.no_json": Text(
        "{file} is not JSON. Give the file the tool wrote; if --from names a tool, check that it is the right one.",
        "{file} 不是 JSON。请给出该工具写出的文件；若使用了 --from，请检查工具是否正确。",
    ),
    "import.shape": Text(
        "{file}: not a result of {tool}: {field} is missing or holds something other than objects. Export the run again.",
        "{file}：不是 {tool} 的结果：缺少 {field}，或其内容不是对象。请重新导出该运行。",
    ),
    "import.field": Text(
        "{file}, {where}: {field} is missing; every row of a {tool} result has it. Export the run again.",
        "{file}，{where}：缺少 {field}；{tool} 结果的每一行都应有该字段。请重新导出该运行。",
    ),
    "import.json": Text(
        "{file}, {where}: not valid JSON ({problem}). The file may be cut short; export the run again.",
        "{file}，{where}：不是有效的 JSON（{problem}）。文件可能不完整，请重新导出该运行。",
    ),
    "import.csv": Text(
        "{file}, line {line}: not a row of this table ({problem}). Export the run again.",
        "{file}，第 {line} 行：不是该表的行（{problem}）。请重新导出该运行。",
    ),
    "import.encoding": Text(
        "{file}, {where}: not valid UTF-8. Save the file as UTF-8.",
        "{file}，{where}：不是有效的 UTF-8。请将文件存为 UTF-8。",
    ),
    "import.unreadable": Text("{file}: cannot be read: {problem}", "{file}：无法读取：{problem}"),
    "import.large": Text(
        "{file} is larger than {limit}. Export the run in parts and import each.",
        "{file} 超过 {limit}。请分批导出后分别导入。",
    ),
    "import.row": Text("{file}, {where}: the row is longer than {limit}.", "{file}，{where}：该行超过 {limit}。"),
    "import.archive": Text(
        "{file}: not a readable log archive ({problem}). Copy it again, or convert it: inspect log convert --to json",
        "{file}：日志压缩包无法读取（{problem}）。请重新复制，或转换格式：inspect log convert --to json",
    ),
    "import.members": Text(
        "{file}: the archive holds more than {limit} files.", "{file}：压缩包内的文件超过 {limit} 个。"
    ),
    "import.unpacked": Text(
        "{file}: {name} unpacks to more than is allowed ({limit} a file, {all} in all); nothing was imported.",
        "{file}：{name} 解压后超过上限（单个文件 {limit}，总计 {all}）；未导入任何内容。",
    ),
    "import.zstd": Text(
        "{file}: this log is packed with Zstandard. Install the extra (pip install 'ragstone[zstd]'), or convert the log: inspect log convert --to json",
        "{file}：该日志使用 Zstandard 压缩。请安装附加组件（pip install 'ragstone[zstd]'），或转换日志：inspect log convert --to json",
    ),
    "import.duplicate": Text(
        "{file}: the case {id:q} has two answers for repeat {repeat}. Are two runs mixed in one file?",
        "{file}：用例 {id:q} 的第 {repeat} 次回答出现两次。文件中是否混入了两次运行？",
    ),
    "import.repeats": Text(
        "{file}: a case has repeat {repeat}; at most {limit} are imported.",
        "{file}：有用例的重复次数为 {repeat}；最多导入 {limit} 次。",
    ),
    "import.no_samples": Text(
        "{file}: there is no answer in it. Was the run logged without its samples?",
        "{file}：其中没有任何回答。运行时是否未记录样本？",
    ),
    "import.no_scores": Text(
        "{file}: {tool} scored nothing in it. To score bare answers use: ragstone score DATASET ANSWERS",
        "{file}：其中没有 {tool} 的评分。若只有回答，请使用：ragstone score DATASET ANSWERS",
    ),
    "import.metrics": Text(
        "{file}: more than {limit} metrics. Export those you need.", "{file}：指标超过 {limit} 个。请只导出需要的指标。"
    ),
    "import.conversations": Text(
        "{file}: the test run has conversations; only single questions and answers can be imported.",
        "{file}：该测试包含多轮对话；目前只能导入单轮问答。",
    ),
    "import.folder": Text(
        "{file}: not the folder of an EvalScope run. Give the one that holds reviews/, predictions/ and reports/.",
        "{file}：不是 EvalScope 的运行文件夹。请给出包含 reviews/、predictions/ 和 reports/ 的文件夹。",
    ),
    "import.model": Text(
        "{file}: there is no model {name:q} in it. There are: {known}", "{file}：其中没有模型 {name:q}。可用：{known}"
    ),
    "import.models": Text(
        "{file} holds answers of several models ({models:and}); pick one with --only.",
        "{file} 含有多个模型的回答（{models:and}）；请用 --only 选择一个。",
    ),
    "import.taken": Text(
        "{file} already exists; nothing was written. Give another name.",
        "{file} 已存在，未写入任何内容。请换一个名称。",
    ),
    "import.both": Text(
        "--answers and --dataset belong together: where to write, and whose ids to use.",
        "--answers 与 --dataset 需同时给出：写入位置，以及使用哪个样例集的编号。",
    ),
    "import.resume": Text(
        "{run} was imported from {tool}: nothing can be asked for it here. Run it again there, and import that run.",
        "{run} 由 {tool} 导入：不能在此继续提问。请在原工具中重新运行后再导入。",
    ),
    "import.header": Text(
        "{file}: the first row does not say what was imported ({problem}). Import the run again.",
        "{file}：首行没有导入信息（{problem}）。请重新导入该运行。",
    ),
    # pytest
    "pytest.mark": Text("@pytest.mark.ragstone: {problem}", "@pytest.mark.ragstone：{problem}"),
    "pytest.staged": Text(
        "{file}: cases that are asked in steps cannot be tests of their own. Use `ragstone run`.",
        "{file}：分步提问的用例不能作为单独的测试。请使用 `ragstone run`。",
    ),
    "pytest.metric": Text(
        "@pytest.mark.ragstone: there is no metric {names:and}. There are: {known}",
        "@pytest.mark.ragstone：没有指标 {names:and}。可用：{known}",
    ),
    "pytest.ids": Text("{file} has no case {names:and}.", "{file} 中没有用例 {names:and}。"),
    "pytest.unused": Text(
        "{test} is marked ragstone, but takes neither ragstone_result nor ragstone_case: nothing would be tested.",
        "{test} 带有 ragstone 标记，但没有使用 ragstone_result 或 ragstone_case：不会测试任何内容。",
    ),
    "pytest.system": Text(
        "there is no system to ask. Give system=… in the mark, or override the fixture ragstone_system.",
        "应向哪个系统提问？请在标记中给出 system=…，或重写 fixture ragstone_system。",
    ),
    "pytest.two_systems": Text(
        "the mark names a system and ragstone_system is parametrised: leave one of them out.",
        "标记已给出 system，同时 ragstone_system 又被参数化：请只保留其一。",
    ),
    "plain": Text("{text}", "{text:told}"),
}

UNKNOWN = Text("{code}", "{code}")

_MESSAGES |= {
    f"gate.judge_{code.removeprefix('standing.')}": Text(
        f"{{figure}} was made by {{judges}}, whose verdicts on questions of kind '{{kind}}' only advise: {why.en}.",
        f"{{figure}} 由 {{judges}} 得出，其对 {{kind}} 类问题的结论仅供参考：{why.hans}。",
    )
    for code, why in _MESSAGES.items()
    if code.startswith("standing.")
}


def message(code: str) -> Text:
    """Return the text of a code; an unknown code shows itself rather than hiding the error."""
    return _MESSAGES.get(code, UNKNOWN)


def phrase(
    phrases: Mapping[str, Text], code: str, params: Mapping[str, object], lang: Lang, *, note: bool = False
) -> str:
    """Return the text of a reason: a contract's phrase (the longer `.note` form on request), else a message of this table."""
    text = (phrases.get(f"{code}.note") if note else None) or phrases.get(code) or phrases.get(f"{code}.note")
    return (text or message(code)).say(lang, {"code": code, **params})


def codes() -> frozenset[str]:
    """Return every code there is."""
    return frozenset(_MESSAGES)
