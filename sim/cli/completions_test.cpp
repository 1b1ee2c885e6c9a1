// What shells, man and a doctor get from the program is what the program takes.
#include <gmock/gmock-more-matchers.h>

#include "sim/cli/program_test.hpp"

namespace holdfast::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Documents : public Program {
 protected:
  bool has(const std::string& program) { return shell("command -v " + program).code == 0; }
  // What bash offers for the last of `words`.
  std::string completed(const std::string& words) {
    write("complete.bash",
          "source <($H completions bash)\nCOMP_WORDS=(" + words +
              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_holdfast\necho \"${COMPREPLY[@]}\"\n");
    const Outcome outcome = shell("bash complete.bash");
    EXPECT_THAT(outcome.err, IsEmpty());
    return outcome.out;
  }
};

TEST_F(Documents, BashCompletesCommandsOptionsAndTheirWords) {
  if (!has("bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_EQ(completed("holdfast com"), "compare completions\n");
  EXPECT_EQ(completed("holdfast baseline a"), "accept\n");
  EXPECT_EQ(completed("holdfast baseline --st"), "--store --strategy\n");
  EXPECT_EQ(completed("holdfast compare --format j"), "json junit\n");
  EXPECT_EQ(completed("holdfast check redis-p"), "redis-py redis-py-as-installed\n");
  EXPECT_EQ(completed("holdfast compare --faults late"), "late-request late-reply\n");
  EXPECT_EQ(completed("holdfast list al"), "algorithms\n");
  EXPECT_EQ(completed("holdfast check token --workload reader"), "readers-writers reader-flood\n");
  EXPECT_EQ(completed("holdfast run my"), "\n");  // files, which bash itself completes
}

TEST_F(Documents, ZshAndFishTakeTheirCompletions) {
  EXPECT_THAT(run("completions zsh").out, AllOf(StartsWith("#compdef holdfast\n"),
                                                HasSubstr("'--format[how results are printed]:WORD:(text "
                                                          "json markdown junit)'")));
  EXPECT_THAT(run("completions fish").out,
              HasSubstr("complete -c holdfast -n '__fish_seen_subcommand_from list' -f -a 'algorithms locks "
                        "faults properties workloads scenarios'"));
  if (!has("zsh") && !has("fish"))
    GTEST_SKIP() << "neither zsh nor fish is installed: nothing has parsed them";
  for (const std::string name : {"zsh", "fish"})
    if (has(name)) {
      EXPECT_EQ(shell("$H completions " + name + " >it && " + name + " -n it").code, 0) << name;
    }
}

TEST_F(Documents, AnUnknownShellIsAUsageError) {
  const Outcome outcome = run("completions csh");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("\"csh\" is not one of bash, zsh, fish"));
}

TEST_F(Documents, TheManualHasEveryCommandAndGroffHasNoComplaint) {
  const Outcome manual = run("manual");
  EXPECT_THAT(manual.out, AllOf(StartsWith(".TH HOLDFAST 1 "), HasSubstr(".SS holdfast baseline ACTION... "),
                                HasSubstr("\\fB\\-\\-store\\fR DIR\n"), HasSubstr("130 interrupted")));
  if (!has("groff")) GTEST_SKIP() << "groff is not installed";
  const Outcome shown = shell("$H manual | groff -man -Tutf8 -ww -P-c");
  EXPECT_THAT(shown.err, IsEmpty());
  EXPECT_THAT(shown.out,
              HasSubstr("       Joins the results of all shards into the JSON of the whole, on stdout.\n"));
}

TEST_F(Documents, TheDoctorTriesWhatCommandsNeed) {
  const Outcome outcome = run("doctor");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("explores"), HasSubstr(" lessons in "), HasSubstr("redis-server"),
                                 Not(HasSubstr("FAILS"))));
}

TEST_F(Documents, TheDoctorFindsWhatCompilersTakeForRight) {
  write(
      "good.cpp",
      "Task<Attempt> acquire(Env& env, std::string key, Mode) {\n"
      "  const Reply reply = co_await Redis(env.store()).get(key);\n  co_return Attempt::refused(key);\n}\n");
  const Outcome good = run("doctor good.cpp");
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "ok     good.cpp: no mistakes\n");
  write("a.json", "{}");
  const Outcome json = run("doctor a.json");
  EXPECT_EQ(json.code, 64);
  EXPECT_THAT(json.err, testing::HasSubstr("a.json: the source of a lock is a .cpp, .hpp or .lua file"));
  write("bad.cpp",
        "static int calls = 0;\nlong now() { return std::chrono::system_clock::now().count(); }\n"
        "Task<int> f(Env& env) {\n  if (!co_await Redis(env.store()).get(\"k\")) co_return 1;\n"
        "  const auto again = [token]() -> Task<int> { co_return 1; };\n}\n");
  const Outcome outcome = run("doctor good.cpp bad.cpp");
  EXPECT_EQ(outcome.code, 65);
  EXPECT_THAT(outcome.out,
              AllOf(StartsWith("bad.cpp:1: static-state: "), HasSubstr("bad.cpp:2: real-time: "),
                    HasSubstr("bad.cpp:4: await-shape: "), HasSubstr("bad.cpp:5: coroutine-lambda: ")));
  EXPECT_THAT(outcome.err, HasSubstr("4 mistakes in the source of a lock"));
}

TEST_F(Documents, TheDoctorSaysWhatOfALibraryHasChangedAndWhatItCannotSee) {
  const std::string place = "src/main/java/com/github/jedis/lock";
  shell("mkdir -p none bare/objects tree/" + place + " && touch bare/HEAD");
  const Outcome none = run("doctor --upstream none jedis-lock");
  EXPECT_EQ(none.code, 66);
  EXPECT_THAT(none.err, HasSubstr("none: is no checkout of abelaska/jedis-lock"));
  const Outcome bare = run("doctor --upstream bare jedis-lock");
  EXPECT_EQ(bare.code, 66);
  EXPECT_THAT(bare.err, HasSubstr("bare: is a bare repository, without files"));
  write("tree/" + place + "/JedisLock.java", "class JedisLock {}\n");
  const Outcome tree = run("doctor --upstream tree jedis-lock");
  EXPECT_EQ(tree.code, 1);
  EXPECT_THAT(tree.out,
              AllOf(HasSubstr("differs " + place + "/JedisLock.java:33-73  not there"),
                    HasSubstr("changed " + place + "/JedisLock.java  has changed"),
                    HasSubstr("unseen  other files of the library"), HasSubstr("unseen  the driver")));
}

// What lies below a library may be compared without the library, and the other way round.
TEST_F(Documents, TheDoctorComparesAFrameworkBelowALibrary) {
  shell("mkdir -p web/django/core/cache/backends");
  write("web/django/core/cache/backends/redis.py", "import pickle\n");
  const Outcome below = run("doctor --upstream web celery-cookbook");
  EXPECT_EQ(below.code, 1);
  EXPECT_THAT(below.out,
              AllOf(HasSubstr("below celery-cookbook lies django/django at 0019a79"),
                    HasSubstr("differs django/core/cache/backends/redis.py:152-161  not there"),
                    HasSubstr("unseen  celery/celery: the library itself is not in this directory"),
                    HasSubstr("unseen  the driver: redis-py 8.0.0")));
}

}  // namespace
}  // namespace holdfast::cli
