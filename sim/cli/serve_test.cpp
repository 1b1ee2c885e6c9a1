// What `holdfast serve` answers, and how the command ends.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/cli/program_test.hpp"
#include "sim/cli/web_api.hpp"

namespace holdfast::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;
using web::Method;

class WebApiTest : public testing::Test {
 protected:
  web::Answer get(const std::string& link) { return ask(Method::get, link, ""); }
  web::Answer post(const std::string& body) { return ask(Method::post, "/api/explorations", body); }
  web::Answer ask(Method method, const std::string& link, const std::string& body) {
    web::Request request{.method = method, .path = link.substr(0, link.find('?')), .body = body};
    for (std::size_t at = link.find('?'); at != link.npos; at = link.find('&', at + 1)) {
      const std::string pair = link.substr(at + 1, link.find('&', at + 1) - at - 1);
      request.query.emplace(pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
    }
    return api_.answer(request);
  }
  Json json(const std::string& link) { return Json::parse(get(link).text); }
  // The exploration when it is over.
  Json explored(const std::string& body) {
    const Json begun = Json::parse(post(body).text);
    const std::string link = "/api" + begun.value("page", "");
    for (int i = 0; i < 6'000; ++i) {
      Json now = json(link);
      if (now["state"] != "running") return now;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }

  WebApi api_{{.threads = 1, .memory = std::uint64_t{1} << 30}};
};

const std::string token_pause = R"({"lock": "token", "faults": ["pause"], "properties": "mutual-exclusion",
                                    "clients": 2, "attempts": 1})";

TEST_F(WebApiTest, ExploresALockAndLeadsFromTheVerdictIntoItsRun) {
  const Json found = explored(token_pause);
  EXPECT_EQ(found["state"], "done");
  EXPECT_GT(found["states"], 100);
  ASSERT_EQ(found["verdicts"].size(), 1u);
  const Json& verdict = found["verdicts"][0];
  EXPECT_EQ(verdict["verdict"], "violated");
  const Json end = json("/api" + verdict["run"].get<std::string>());
  EXPECT_EQ(end["violated"][0]["property"], "mutual-exclusion");
  // One step back nothing is violated, and other actions are there.
  const Json before = json(end["way"].back()["state"]);
  EXPECT_EQ(before["violated"].size(), 0u);
  EXPECT_GT(before["actions"].size(), 1u);
  EXPECT_THAT(get(verdict["page"]).text, HasSubstr("Take another action from here"));
  EXPECT_THAT(get(found["page"].get<std::string>() + "/index.html").text, HasSubstr("token"));
  EXPECT_EQ(json(found["page"].get<std::string>() + "/matrix.json")["cells"].size(), 1u);
}
TEST_F(WebApiTest, TellsBeliefAndTruthOfEveryStateAndItsLinksAreActions) {
  std::string link = "/api/runs?lock=token&faults=pause";
  Json state = json(link);
  EXPECT_EQ(state["clients"].size(), 2u);
  EXPECT_EQ(state["way"].size(), 0u);
  for (int i = 0; i < 40 && !state["clients"][0]["believes"]; ++i) state = json(state["actions"][0]["state"]);
  EXPECT_EQ(state["clients"][0]["believes"], true);
  EXPECT_EQ(state["clients"][0]["named"], true);
  EXPECT_EQ(state["keys"][0]["owner"], "A");
  EXPECT_EQ(state["violated"].size(), 0u);
}
TEST_F(WebApiTest, TheStoreNamesAHolderWhenMostServersDo) {
  // It asks one server after the other.
  Json state = json("/api/runs?lock=redlock-rb&faults=pause");
  const auto grants = [&] {
    return std::count_if(state["keys"].begin(), state["keys"].end(),
                         [](const Json& key) { return key["owner"] == "A"; });
  };
  std::vector<std::ptrdiff_t> seen;
  for (int i = 0; i < 60 && grants() < 3; ++i) {
    state = json(state["actions"][0]["state"]);
    EXPECT_EQ(state["clients"][0]["named"], grants() >= 2) << state["keys"];
    seen.push_back(grants());
  }
  EXPECT_EQ(seen.back(), 3);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1) > 0, true);
}
TEST_F(WebApiTest, PagesAreInTheLanguageOfTheServer) {
  WebApi chinese{{.threads = 1, .memory = std::uint64_t{1} << 30}, reports::Language::zh};
  for (const char* path : {"/", "/runs?lock=token&faults=pause", "/nothing"}) {
    EXPECT_THAT(get(path).text, HasSubstr("<html lang=\"en\">"));
    web::Request request{.path = path};
    if (const std::string link = path; link.starts_with("/runs"))
      request = {.path = "/runs", .query = {{"lock", "token"}, {"faults", "pause"}}};
    EXPECT_THAT(chinese.answer(request).text, HasSubstr("<html lang=\"zh-Hans\">")) << path;
  }
  const web::Request run{.path = "/api/runs", .query = {{"lock", "token"}, {"faults", "pause"}}};
  EXPECT_EQ(Json::parse(chinese.answer(run).text)["question"], "接下来发生什么？");
}
TEST_F(WebApiTest, APageMarksWhereBeliefAndTruthDiffer) {
  Json state = json("/api/runs?lock=token&faults=none");
  std::string link = "/runs?lock=token&faults=none";
  for (int i = 0; i < 40 && state["clients"][0]["named"] == false; ++i) {
    EXPECT_THAT(get(link).text, Not(HasSubstr("≠")));
    link = state["actions"][0]["run"];
    state = json("/api" + link);
  }
  EXPECT_THAT(get(link).text, HasSubstr("≠ The client does not believe so."));
}
TEST_F(WebApiTest, OpensOnALivingPictureWithTheLessonsBesideIt) {
  const std::string home = get("/").text;
  for (const char* told : {"class=\"curtain paper\"", "A lock at work: A holds it", "A fault strikes",
                           "Two clients believe that they hold the lock", "Whose lock do you delete?"})
    EXPECT_THAT(home, HasSubstr(told));
  EXPECT_LT(home.find("class=\"curtain"), home.find("<form"));
  // Each lesson and the run of each is a page.
  std::size_t lessons = 0;
  for (std::size_t at = home.find("<li><a href=\"/lessons/"); at != home.npos; ++lessons) {
    const std::string link = home.substr(at + 13, home.find('"', at + 13) - at - 13);
    const web::Answer lesson = get(link);
    EXPECT_EQ(lesson.status, 200) << link;
    EXPECT_THAT(lesson.text, HasSubstr("<a href=\"" + link + "/run\">")) << link;
    EXPECT_THAT(get(link + "/run").text, HasSubstr("id=\"sequence\"")) << link;
    at = home.find("<li><a href=\"/lessons/", at + 1);
  }
  EXPECT_EQ(lessons, 24u);
  for (const char* link : {"/lessons/0", "/lessons/25", "/lessons/6/walk", "/lessons/x"})
    EXPECT_EQ(get(link).status, 404) << link;
}

TEST_F(WebApiTest, SaysWhatIsWrongAndTheNearestWord) {
  const auto refused = [&](const web::Answer& answer) {
    return std::to_string(answer.status) + " " + Json::parse(answer.text).value("error", "");
  };
  EXPECT_THAT(refused(post(R"({"lock": "tokn"})")),
              HasSubstr("404 lock: there is no lock \"tokn\" — did you mean \"token\"?"));
  EXPECT_THAT(refused(post(R"({"lock": "/etc/passwd"})")), HasSubstr("404 lock: there is no lock"));
  EXPECT_THAT(refused(post(R"({"lock": "token", "faults": "pausse"})")),
              HasSubstr("did you mean \"pause\"?"));
  EXPECT_THAT(refused(post(R"({"lock": "token", "guest": "sh -c id"})")),
              HasSubstr("400 there is no field \"guest\""));
  EXPECT_THAT(refused(post(R"({"lock": "token", "clients": 9})")),
              HasSubstr("400 clients: \"9\" is not a whole number from 1 to 8"));
  EXPECT_THAT(refused(post(R"({"lock": "token", "clients": -1})")), HasSubstr("400 clients: is neither"));
  EXPECT_THAT(refused(post(R"({"lock": "token", "work": "8h"})")), HasSubstr("400 work: 28800s is too long"));
  EXPECT_THAT(refused(post(R"({"lock": "token", "param": {"tll": "1s"}})")), HasSubstr("400 "));
  EXPECT_THAT(refused(post("{")), HasSubstr("400 the body is no JSON object"));
  EXPECT_THAT(refused(get("/api/explorations/7")), HasSubstr("404 there is no exploration 7"));
  EXPECT_THAT(refused(get("/api/\xff")), HasSubstr("404 there is nothing at /api/"));
  EXPECT_THAT(refused(get("/api/lock")), HasSubstr("did you mean \"/api/locks\"?"));
  EXPECT_THAT(refused(get("/api/runs?lock=token&picks=0.99")),
              HasSubstr("400 picks: no run of token asks for these answers"));
  EXPECT_THAT(refused(get("/api/runs?lock=token&picks=0..x")),
              HasSubstr("400 picks: \"\" is not a whole number"));
  EXPECT_THAT(refused(get("/api/runs?lock=token&variant=nestd")), HasSubstr("did you mean \"nested\"?"));
  EXPECT_THAT(refused(ask(Method::post, "/api/runs", "{}")), HasSubstr("405 "));
  const web::Answer page = get("/runs?lock=%3Cscript%3E<script>");
  EXPECT_EQ(page.status, 404);
  EXPECT_THAT(page.text, HasSubstr("&lt;script&gt;"));
  EXPECT_EQ(page.text.find("<script>"), page.text.rfind("<script>"));  // its own, and no other
}
TEST_F(WebApiTest, CountsStatesWhileItExploresCancelsAndRefusesMoreThanTwoAtATime) {
  const std::string large = R"({"lock": "redisson", "clients": 4, "rounds": 3, "attempts": 3})";
  EXPECT_EQ(post(large).status, 201);
  EXPECT_EQ(post(large).status, 201);
  EXPECT_EQ(post(large).status, 429);
  const auto wait_until = [&](const std::string& link, const auto& is_so) {
    Json now = json(link);
    for (int i = 0; i < 6'000 && !is_so(now); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      now = json(link);
    }
    return now;
  };
  const Json going = wait_until("/api/explorations/1", [](const Json& now) { return now["states"] > 0; });
  EXPECT_EQ(going["state"], "running");
  EXPECT_GT(going["transitions"], 0);
  for (const std::string link : {"/api/explorations/1", "/api/explorations/2"})
    EXPECT_EQ(ask(Method::remove, link, "").status, 200);
  const auto is_over = [](const Json& now) { return now["state"] != "running"; };
  EXPECT_EQ(wait_until("/api/explorations/1", is_over)["state"], "cancelled");
}
TEST_F(WebApiTest, ListsTheLocksThatTheCommandLists) {
  EXPECT_EQ(json("/api/locks"), Json::parse(json("/api/locks").dump()));
  EXPECT_THAT(get("/api/locks").text, HasSubstr("\"set-nx-px\""));
  EXPECT_THAT(get("/api/faults").text, HasSubstr("\"pause\""));
  EXPECT_THAT(get("/").text, HasSubstr("<option value=\"token\" selected>"));
}

class Serve : public Program {};

TEST_F(Serve, PrintsItsAddressAndEndsWithASignal) {
  const Outcome outcome = shell(
      "$H serve --port 0 >url.txt 2>err2.txt & server=$!; for i in $(seq 500); do test -s url.txt && break; "
      "sleep "
      "0.02; done; kill -TERM $server; wait $server; echo code $?; cat url.txt err2.txt");
  EXPECT_THAT(outcome.out, testing::MatchesRegex("code 0\nhttp://127.0.0.1:[0-9]+/\n"));
}
TEST_F(Serve, SaysThatAPortIsInUseAndWhoCanComeInFromOutside) {
  const Outcome outcome = shell(
      "$H serve --listen 0.0.0.0:0 >url.txt 2>err2.txt & server=$!; for i in $(seq 500); do test -s url.txt "
      "&& "
      "break; sleep 0.02; done; port=$(sed \"s/.*:\\([0-9]*\\).*/\\1/\" url.txt); $H serve --listen "
      "0.0.0.0:$port; echo code $?; kill -INT $server; kill -TERM $server; wait $server; cat err2.txt");
  EXPECT_THAT(outcome.out, HasSubstr("code 69\n"));
  EXPECT_THAT(outcome.out, HasSubstr("everybody who reaches 0.0.0.0 can use this"));
  EXPECT_THAT(outcome.err, HasSubstr("Address already in use (another port: --port N, or 0 for any)"));
}
TEST_F(Serve, RefusesAddressesThatAreNone) {
  const Outcome outcome = run("serve --listen nowhere:80");
  EXPECT_EQ(outcome.code, 64);
  EXPECT_EQ(outcome.err,
            "holdfast: --listen: \"nowhere:80\" is no address of numbers: an address is written "
            "like 0.0.0.0:7007 or [::]:7007\n");
  EXPECT_EQ(run("serve --port 65536").code, 64);
  EXPECT_EQ(run("serve --port 1 --listen 0.0.0.0:1").code, 64);
}

}  // namespace
}  // namespace holdfast::cli
