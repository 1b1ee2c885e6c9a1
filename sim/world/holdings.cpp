#include "sim/world/holdings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "sim/core/time_text.hpp"

namespace holdfast {
namespace {

using Part = Holdings::Part;
using Parts = Holdings::Parts;

struct Lister final : stores::Server::Lister {
  Lister(const std::vector<std::string>& these, const TokenOf& that) : asides(these), token_of(that) {}
  const std::vector<std::string>& asides;
  const TokenOf& token_of;
  Elements elements = {};

  Element element_of(Digest name, std::string_view text) const {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    return {name, digest_of(text).low, is_number && !(token_of && token_of(text)) ? number : 1};
  }
  void text(std::string_view text) override { elements.push_back(element_of({}, text)); }
  void add(std::string_view name, Element element) {
    // States tell it by its text.
    if (has_mark(name)) time_oracle->obstruct("a time is the name of an element");
    if (token_of) element.token = token_of(name).value_or(Token{});
    elements.push_back(element);
  }
  void element(std::string_view text) override { add(text, {digest_of(text)}); }
  void ranked(std::string_view name, std::uint64_t rank) override { add(name, {digest_of(name), rank}); }
  void field(std::string_view name, std::string_view text) override {
    if (std::find(asides.begin(), asides.end(), name) == asides.end())
      add(name, element_of(digest_of(name), text));
  }
};

void note(Holdings::Bereft& bereft, Acquisition who, Acquisition by) {
  const bool is_news = std::find(bereft.begin(), bereft.end(), who) == bereft.end();
  if (is_news && who != by && !who.is_nobody()) bereft.push_back(who);
}

bool are_opposite(std::int64_t one, std::int64_t other) {
  return (one < 0 && other > 0) || (one > 0 && other < 0);
}

// `by` counted an element up or down. What it takes beyond its own it takes first from what is nobody's.
void count(Parts& its, const Element& now, Acquisition by, Holdings::Bereft& bereft) {
  const auto amount_of = [&](Acquisition who) -> std::int64_t& {
    auto place = std::find_if(its.begin(), its.end(), [&](const Part& each) { return !(each.by < who); });
    if (place == its.end() || place->by != who) place = its.insert(place, {who, {now.name, 0, 0, now.token}});
    return place->element.amount;
  };
  const auto sum = [&] {
    std::int64_t all = 0;
    for (const Part& each : its) all += each.element.amount;
    return all;
  };
  amount_of(Acquisition{});
  std::int64_t& own = amount_of(by);
  std::int64_t& nobodys = its.front().element.amount;
  own += now.amount - sum();
  if (are_opposite(own, nobodys)) {
    const std::int64_t given = std::abs(own) < std::abs(nobodys) ? -own : nobodys;
    own += given;
    nobodys -= given;
  }
  const std::int64_t taken = own;
  const auto loses = [&](const Part& each) { return are_opposite(taken, each.element.amount); };
  if (std::any_of(its.begin(), its.end(), loses)) {
    own = 0;
    for (const Part& each : its)
      if (loses(each)) note(bereft, each.by, by);
    std::erase_if(its, loses);
    its.front().element.amount += now.amount - sum();
  }
  std::erase_if(its, [](const Part& each) { return each.element.amount == 0; });
  // A field that counts nothing exists all the same: the client that counted it down has left it.
  if (its.empty() && now.name != Digest()) its.push_back({by, {now.name, now.content, 0, now.token}});
  for (Part& each : its) each.element.content = now.content;
}

// What becomes of the parts of one element.
void write_element(Parts& its, const Element& now, Acquisition by, bool is_counted,
                   Holdings::Bereft& bereft) {
  std::int64_t amount = 0;
  for (const Part& each : its) amount += each.element.amount;
  const bool is_alike = !its.empty() && its.front().element.content == now.content;
  if (is_alike && amount == now.amount) return;
  if (!its.empty() && (is_alike || is_counted)) return count(its, now, by, bereft);
  for (const Part& each : its) note(bereft, each.by, by);
  its.assign({{by, now}});
}

}  // namespace

Elements elements_of(const Contents& data, std::string_view key, const std::vector<std::string>& asides,
                     const TokenOf& token_of) {
  Lister lister(asides, token_of);
  data->list(key, lister);
  Elements& all = lister.elements;
  std::stable_sort(all.begin(), all.end());
  Elements joined;
  for (const Element& each : all) {
    if (joined.empty() || joined.back().name != each.name) joined.push_back(each);
    else joined.back().amount += each.amount;
  }
  return joined;
}

bool Holdings::is_anybodys() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.by.is_nobody(); });
}

const Holdings::Part* Holdings::part_of(Acquisition acquisition) const {
  const auto is_its = [&](const Part& each) { return each.by == acquisition; };
  const auto part = std::find_if(parts_.begin(), parts_.end(), is_its);
  return part == parts_.end() || acquisition.is_nobody() ? nullptr : &*part;
}

Acquisition Holdings::owner(Acquisition writer) const {
  if (has(writer)) return writer;
  const auto is_somebodys = [](const Part& each) { return !each.by.is_nobody(); };
  const auto part = std::find_if(parts_.begin(), parts_.end(), is_somebodys);
  return part == parts_.end() ? Acquisition{} : part->by;
}

void Holdings::write(const Elements& now, Acquisition by, Change::Way way, Bereft& bereft) {
  const bool is_renewed = has(by);
  const Parts before = std::exchange(parts_, {});
  auto part = before.begin();
  for (const Element& element : now) {
    for (; part != before.end() && part->element < element; ++part) note(bereft, part->by, by);
    const auto first = part;
    while (part != before.end() && part->element.name == element.name) ++part;
    Parts its(first, part);
    if (way == Change::Way::replaced) {
      for (const Part& each : its) note(bereft, each.by, by);
      its.clear();
    }
    write_element(its, element, by, way == Change::Way::counted, bereft);
    parts_.insert(parts_.end(), its.begin(), its.end());
  }
  for (; part != before.end(); ++part) note(bereft, part->by, by);
  for (Part& each : parts_)
    if (each.by == by) each.is_renewed = is_renewed;
}

void Holdings::set_end(Acquisition by, Bereft& bereft) {
  for (Part& each : parts_) {
    note(bereft, each.by, by);
    each.is_renewed = each.by == by && !by.is_nobody();
  }
}

void Holdings::clear(Bereft& bereft) {
  for (const Part& each : parts_) note(bereft, each.by, {});
  parts_.clear();
}

}  // namespace holdfast
