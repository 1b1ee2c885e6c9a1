#include "reports/matrix_words.hpp"

namespace holdfast::reports {
namespace {

const MatrixWords english_matrix{
    .title = "holdfast: which lock holds, under which faults",
    .heading = "Which lock holds, under which faults?",
    .to_verdicts = "to the verdicts",
    .interrupted = "Interrupted: ",
    .locks = {"{0} lock", "{0} locks"},
    .faults = {"{0} fault", "{0} faults"},
    .cells = {"{0} cell", "{0} cells"},
    .extent = "{0} under {1}: {2}, {3}",
    .tally = {"{0} violated", "{0} unknown", "{0} hollow", "{0} sampled", "{0} hold", "{0} not applicable"},
    .outcomes = {"violated", "unknown", "hollow", "sampled", "holds", "not applicable"},
    .meanings = {"a run breaks it; the letters say what, and each leads to the run", "the budget ended first",
                 "no run came to where something could break", "none found in a sample, which is no proof",
                 "every schedule within the bounds was explored", "the fault cannot strike this lock"},
    .comma = ", ",
    .last_comma = " or ",
    .others = "{0} and {1} more",
    .which = "Which lock to take",
    .with = {"With one Redis server", "With several Redis servers", "In the shared memory of nginx",
             "Of the others"},
    .take = "{0}: take {1}.",
    .take_least = "{0}: none holds under any fault shown here; {1} breaks in the fewest ways.",
    .undecided = "{0}: not decided. The best so far is {1}, of which nothing is known under {2}.",
    .unbroken = "Nothing shown here breaks it.",
    .broken = "{0} of {1} break it: {2}.",
    .unproved = "Not proved: {0}.",
    .derived = "How this follows from the verdicts",
    .rule =
        "Locks are compared by the verdicts below. What breaks without a fault comes last, and "
        "before it what a crash of its holder locks for good; then count the "
        "faults that break a lock, where what is unknown counts as broken, the broken properties, the "
        "verdicts without a proof, and the commands that it sends. Nothing else is weighed.",
    .findings = "Findings",
    .alone = "Nothing need go wrong to break {0}: {1}.",
    .worst = "{0} breaks {1}. Most often, {2} ({3}).",
    .no_lock = "No lock here survives {0}. Most often, {2} ({3}).",
    .telling = "Locks differ most in {0}. Where it is broken, {2} ({4}). It is by {1}: {3}.",
    .mildest = "{0} is the mildest: {1} are not seen to break.",
    .some = "{0} of {1}",
    .example = "a run",
    .verdicts = "Verdicts",
    .how_to_read = "How to read it",
    .filter = "Only locks whose name, library or language contains",
    .table = "verdict matrix",
    .lock = "lock",
    .by_robustness =
        "The most robust locks come first; those with the same verdicts share a row. A name "
        "leads to what the lock does.",
    .believes = "belief {0}",
    .explained = "The locks",
    .more = "What it does, and what is known to be wrong with it",
    .source = "source",
    .takes = "takes",
    .renews = "renews",
    .frees = "frees",
    .bugs = "known bugs",
    .lesson_of_bug = "the scenario {0} shows it",
    .repair_of_bug = "{0} shows the repair",
    .check = "try",
};

const MatrixWords chinese_matrix{
    .title = "holdfast：哪种锁在哪些故障下可靠",
    .heading = "哪种锁在哪些故障下可靠？",
    .to_verdicts = "转到结论",
    .interrupted = "已中断：",
    .locks = {"{0} 种锁", "{0} 种锁"},
    .faults = {"{0} 种故障", "{0} 种故障"},
    .cells = {"{0} 格", "{0} 格"},
    .extent = "{0}，{1}：{2}，{3}",
    .tally = {"{0} 被违反", "{0} 未知", "{0} 空洞", "{0} 抽样", "{0} 成立", "{0} 不适用"},
    .outcomes = {"被违反", "未知", "空洞", "抽样", "成立", "不适用"},
    .meanings = {"有一次运行违反了它；字母表示违反了什么，点击可看到那次运行", "预算先用完了",
                 "没有一次运行到达可能出错之处", "抽样中没有发现，这不是证明", "边界之内的每一种调度都探索过",
                 "这种故障影响不到这种锁"},
    .comma = "、",
    .last_comma = "或 ",
    .others = "{0} 以及另外 {1} 种",
    .which = "该用哪种锁",
    .with = {"只有一台 Redis 服务器时", "有多台 Redis 服务器时", "在 nginx 共享内存中", "其余的锁"},
    .take = "{0}：用 {1}。",
    .take_least = "{0}：没有一种能经受这里的任何故障；{1} 出错的方式最少。",
    .undecided = "{0}：尚无定论。目前最好的是 {1}，但在以下故障下还一无所知：{2}。",
    .unbroken = "这里没有什么能破坏它。",
    .broken = "{1}中有 {0} 种能破坏它：{2}。",
    .unproved = "未证明：{0}。",
    .derived = "怎样由结论得出",
    .rule =
        "按下面的结论比较各种锁。没有故障也会出错的排在最后，持有者崩溃后再也打不开的排在它之前；"
        "然后依次比较能破坏它的故障数（未知算作被破坏）、被违反的性质数、没有证明的结论数，以及它发送的命令数"
        "。此外不考虑任何东西。",
    .findings = "发现",
    .alone = "什么都没出错时，{0}也会出错：{1}。",
    .worst = "{0} 破坏了{1}。最常见的是：{2}（{3}）。",
    .no_lock = "这里没有一种锁经受得住 {0}。最常见的是：{2}（{3}）。",
    .telling = "各种锁差别最大的是 {0}。{1}违反它，即{2}（{4}）：{3}。",
    .mildest = "{0} 最温和：{1}没有出错。",
    .some = "{1}中的 {0} 种",
    .example = "一次运行",
    .verdicts = "结论",
    .how_to_read = "怎样读",
    .filter = "只显示名称、库或语言包含以下文字的锁",
    .table = "结论矩阵",
    .lock = "锁",
    .by_robustness = "最可靠的锁排在前面；结论相同的锁共用一行。点击名称可看到这种锁做什么。",
    .believes = "信念 {0}",
    .explained = "各种锁",
    .more = "它做什么，已知有什么问题",
    .source = "来源",
    .takes = "获取",
    .renews = "续期",
    .frees = "释放",
    .bugs = "已知缺陷",
    .lesson_of_bug = "场景 {0} 展示了它",
    .repair_of_bug = "{0} 展示了修复",
    .check = "试一试",
};

}  // namespace

const MatrixWords& matrix_words_of(Language language) {
  return language == Language::zh ? chinese_matrix : english_matrix;
}

}  // namespace holdfast::reports
