// What a name means: a lock, from its card; a word of the vocabulary, from its lesson.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/lessons.hpp"
#include "reports/report.hpp"
#include "reports/verdicts.hpp"
#include "sim/scenario/specification.hpp"

namespace holdfast::reports {
namespace {

struct Shelf {
  std::string_view noun;
  std::span<const Lesson> lessons;
};
std::array<Shelf, 6> shelves() {
  return {{{"a fault", fault_lessons()},
           {"a property", property_lessons()},
           {"a belief", belief_lessons()},
           {"a workload", workload_lessons()},
           {"a verdict", verdict_lessons()},
           {"a term", term_lessons()}}};
}

// Numbered as everywhere.
void write_sentences(std::span<const Sentence> sentences, Page& page) {
  page.line();
  page.paragraph("  ",
                 "what it may and may not do here; scenarios/faults.md has a scenario for each sentence");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    page.paragraph(fmt::format("  {:>2}  ", i + 1), sentences[i].text);
}

std::span<const Sentence> sentences_of(std::string_view fault) {
  const auto found = std::find(fault_ids.begin(), fault_ids.end(), fault);
  if (found == fault_ids.end()) return {};
  return specification_of(static_cast<Fault>(found - fault_ids.begin()));
}

// No name is broken at the end of a line.
std::string other_names_in_words(const Lesson& lesson) {
  std::string names;
  for (const std::string_view name : other_names_of(lesson.id)) {
    names += names.empty() ? "" : ", ";
    for (const char letter : name) names += letter == ' ' ? std::string(no_break) : std::string(1, letter);
  }
  return names;
}

void write_lesson(const Shelf& shelf, const Lesson& lesson, Page& page) {
  page.line(fmt::format("{} ({})", painted(page.terminal(), Style::strong, lesson.id), shelf.noun));
  page.paragraph("  ", fmt::format("{}.", lesson.summary));
  page.line();
  page.paragraph("  ", lesson.text);
  if (const std::string names = other_names_in_words(lesson); !names.empty()) {
    page.line();
    page.paragraph("  also found as  ", names);
  }
  if (const auto sentences = sentences_of(lesson.id); !sentences.empty()) write_sentences(sentences, page);
  page.line();
  page.paragraph("  try  ", lesson.next);
}

template <class Enum, std::size_t N>
std::string names_in(SetOf<Enum> set, const std::array<std::string_view, N>& ids) {
  std::string names;
  for (std::size_t i = 0; i < N; ++i)
    if (set.contains(static_cast<Enum>(i))) names.append(names.empty() ? "" : ", ").append(ids[i]);
  return names;
}

// The shorter of what is in it and what is not.
std::string in_words(FaultSet faults) {
  FaultSet others;
  for (std::size_t i = 0; i < fault_ids.size(); ++i)
    if (const Fault each = static_cast<Fault>(i); !faults.contains(each)) others.insert(each);
  const std::string names = names_in(faults, fault_ids);
  const std::string but = names_in(others, fault_ids);
  const std::string short_form = "every fault" + (but.empty() ? "" : " but " + but);
  return short_form.size() < names.size() ? short_form : names;
}

// "1s", "1s, a duration", "printed; one of: printed, repaired".
std::string allowed_by(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::duration: return "a duration";
    case Parameter::Kind::count: return "a whole number";
    case Parameter::Kind::choice: break;
  }
  std::string list;
  for (const std::string_view choice : parameter.choices)
    list.append(list.empty() ? "" : " or ").append(choice);
  return list;
}

void write_protocol(const Protocol& protocol, Page& page) {
  for (const auto& [first, text] :
       {std::pair("  takes    ", protocol.acquire), std::pair("  renews   ", protocol.renew),
        std::pair("  frees    ", protocol.release)})
    if (!text.empty()) page.paragraph(first, text);
}

void write_bugs(const std::vector<KnownBug>& bugs, Page& page) {
  if (bugs.empty()) return;
  page.line();
  page.line("  known bugs; ./holdfast run shows a lesson");
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    const KnownBug& bug = bugs[i];
    const std::string tracker = bug.tracker.empty() ? "" : fmt::format(" ({})", bug.tracker);
    page.paragraph(fmt::format("  {:>2}  ", i + 1), fmt::format("{}{}.", bug.what, tracker));
    for (const auto& [first, text] :
         {std::pair("      lesson  ", bug.lesson), std::pair("      repair  ", bug.repair),
          std::pair("      no run  ", bug.instead)})
      if (!text.empty()) page.paragraph(first, text);
  }
}

void write_card(const Card& card, Page& page) {
  page.line(fmt::format("{} (a lock)", painted(page.terminal(), Style::strong, card.id)));
  page.paragraph("  ", fmt::format("{}.", card.summary));
  if (!card.lesson.empty()) {
    page.line();
    page.paragraph("  ", card.lesson);
  }
  page.line();
  write_protocol(card.protocol, page);
  page.paragraph("  source   ", card.source);
  if (card.upstream)
    page.paragraph("  library  ", fmt::format("{}, {}{}{}", card.upstream->name, card.upstream->language,
                                              card.upstream->also.empty() ? "" : "; also: ",
                                              fmt::join(card.upstream->also, ", ")));
  if (card.capacity > 1)
    page.paragraph("  capacity ", fmt::format("{}: so many clients may hold it at once, and "
                                              "mutual-exclusion says that no more do",
                                              card.capacity));
  if (card.driver_retries != 0)
    page.paragraph("  driver   ", fmt::format("sends a request without an answer again, at most {}",
                                              counted(card.driver_retries, "time")));
  else if (!card.driver.empty()) page.paragraph("  driver   ", "sends no request again");
  if (!card.driver.empty()) page.paragraph("           ", card.driver);
  for (const Edition& each : card.editions)
    page.paragraph("  beside   ", fmt::format("{}-{}: {}", card.id, each.name, each.summary));
  if (card.store == StoreKind::shared_dict) page.line("  store    shared-dict (an nginx shared dictionary)");
  if (card.store == StoreKind::postgres) page.line("  store    postgres (holdfast explain postgres)");
  if (card.store == StoreKind::etcd) page.line("  store    etcd (holdfast explain etcd)");
  if (card.store == StoreKind::zookeeper) page.line("  store    zookeeper (holdfast explain zookeeper)");
  page.paragraph("  belief   ", fmt::format("{} (by its authors); makes sense: {}", id_of(card.belief),
                                            names_in(card.beliefs, belief_ids)));
  std::string_view first = "  claims   ";
  for (const Claim& claim : card.claims) {
    page.paragraph(
        first, fmt::format("{} under {}", names_in(claim.properties, property_ids), in_words(claim.under)));
    first = "           ";
  }
  if (card.claims.empty()) page.line("  claims   nothing");
  first = "  options  ";
  for (const Parameter& parameter : card.parameters) {
    page.paragraph(first, fmt::format("{} = {} ({}): {}", parameter.name, parameter.fallback,
                                      allowed_by(parameter), parameter.help));
    first = "           ";
  }
  write_bugs(card.bugs, page);
  page.line();
  page.paragraph("  try  ", fmt::format("./holdfast check {}", card.id));
}

}  // namespace

namespace {

// A matrix shows properties as letters; and some words have several names.
std::string_view id_behind(std::string_view name) {
  for (std::size_t i = 0; i < property_ids.size(); ++i)
    if (name.size() == 1 && name.front() == letter_of(static_cast<Property>(i))) return property_ids[i];
  const std::string_view usual = usual_name(in_small_letters(name));
  return usual.empty() ? name : usual;
}

// Under which names users know a library: "Redisson RLock" is also called Redisson.
std::vector<std::string_view> names_of_library(const Upstream& upstream) {
  std::vector<std::string_view> names = upstream.also;
  const std::string_view name = upstream.name;
  const std::string_view repository = upstream.repository;
  names.insert(names.end(), {name, name.substr(0, name.find(' ')), upstream.language, repository,
                             repository.substr(repository.find('/') + 1)});
  return names;
}

// Those of a library, or of all libraries of a language.
std::vector<const Card*> cards_of(std::string_view name, const std::vector<Card>& cards) {
  const std::string small = in_small_letters(name);
  const std::string plain = in_plain_letters(name);
  const auto called = [&](bool is_exact) {
    std::vector<const Card*> found;
    for (const Card& card : cards) {
      if (!card.upstream) continue;
      const std::vector<std::string_view> names = names_of_library(*card.upstream);
      // "C#" is no C.
      const auto is_it = [&](std::string_view each) {
        return is_exact ? in_small_letters(each) == small
                        : plain.size() > 2 && in_plain_letters(each) == plain;
      };
      if (std::any_of(names.begin(), names.end(), is_it)) found.push_back(&card);
    }
    return found;
  };
  std::vector<const Card*> found = called(true);
  return found.empty() ? called(false) : found;
}

// Whether a user who writes `asked` means this id: as it is, or but for capitals, hyphens and the like.
bool means(std::string_view asked, std::string_view id, bool is_exact) {
  if (is_exact) return asked == id;
  const std::string plain = in_plain_letters(asked);
  return plain.size() > 1 && plain == in_plain_letters(id);
}

// The other locks of its library.
void write_siblings(const Card& card, const std::vector<Card>& cards, Page& page) {
  std::string names;
  for (const Card& other : cards)
    if (card.upstream && other.upstream && other.id != card.id &&
        other.upstream->repository == card.upstream->repository)
      names.append(names.empty() ? "" : ", ").append(other.id);
  if (!names.empty()) page.paragraph("  also ", "of this library: " + names);
}

// A card or a lesson of this id.
bool write_named(std::string_view name, bool is_exact, const std::vector<Card>& cards, Page& page) {
  for (const Card& card : cards)
    if (means(name, card.id, is_exact)) {
      write_card(card, page);
      write_siblings(card, cards, page);
      return true;
    }
  for (const Shelf& shelf : shelves())
    for (const Lesson& lesson : shelf.lessons)
      if (means(name, lesson.id, is_exact)) {
        write_lesson(shelf, lesson, page);
        return true;
      }
  return false;
}

}  // namespace

bool write_explanation(std::string_view asked, const std::vector<Card>& cards, std::ostream& out,
                       const Terminal& terminal) {
  Page page(out, terminal);
  const std::string_view name = id_behind(asked);
  if (write_named(name, true, cards, page) || write_named(name, false, cards, page)) return true;
  const std::vector<const Card*> found = cards_of(name, cards);
  if (found.size() == 1) {
    write_card(*found.front(), page);
    write_siblings(*found.front(), cards, page);
  } else
    for (const Card* const card : found)
      page.paragraph(fmt::format("  {}  ", card->id),
                     fmt::format("{}: {}", card->upstream->name, card->summary));
  return !found.empty();
}

std::vector<std::string_view> explainable(const std::vector<Card>& cards) {
  std::vector<std::string_view> names;
  for (const Card& card : cards) names.push_back(card.id);
  const auto add = [&names](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Card& card : cards)
    if (card.upstream) {
      add(card.upstream->name);
      for (const std::string_view also : card.upstream->also) add(also);
    }
  for (const Shelf& shelf : shelves())
    for (const Lesson& lesson : shelf.lessons) names.push_back(lesson.id);
  for (const Lesson& term : term_lessons())
    for (const std::string_view other : other_names_of(term.id)) add(other);
  return names;
}

}  // namespace holdfast::reports
