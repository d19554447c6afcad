// Texts in the place of others: whole ones, patterns, parts.
#include "core/language/phrase_book.h"

#include <doctest/doctest.h>

#include "core/system/error.h"

using namespace attn;

namespace {

PhraseBook book() {
  PhraseBook made;
  made.add("weights", "Gewichte");
  made.add("row {}", "Zeile {}");
  made.add("{} of {}", "{} von {}");
  made.add("{} of head {#}", "{} von Kopf {#}");
  made.add("the {} of {=}", "von {2} {1}");
  made.add("a whole {}", "");
  made.add("not yet", "");
  made.add("Edit", "Bearbeiten");
  made.add("Undo", "Rückgängig");
  return made;
}

}  // namespace

TEST_CASE("a text has its translation, what is not known stays, what is not translated is marked") {
  const PhraseBook de = book();
  CHECK(de.translated("weights") == "Gewichte");
  CHECK(de.translated("  weights ") == "  Gewichte ");
  CHECK(de.translated("Weights") == "Weights");
  CHECK(de.translated("0.25") == "0.25");
  CHECK(de.translated("") == "");
  CHECK(de.translated("not yet") == "‹not yet›");
  CHECK(de.translated("a whole row") == "‹a whole row›");
  CHECK(*de.find("not yet") == "");
  CHECK(de.find("nobody") == nullptr);
  CHECK(de.size() == 9);
}

TEST_CASE("places are translated in their turn, in any order; the pattern with the longest words is taken") {
  const PhraseBook de = book();
  CHECK(de.translated("row 3") == "Zeile 3");
  CHECK(de.translated("row 3 of weights") == "Zeile 3 von Gewichte");
  CHECK(de.translated("weights of head 2") == "Gewichte von Kopf 2");
  CHECK(de.translated("weights of head two") == "Gewichte von head two");    // no number
  CHECK(de.translated("the weights of weights") == "von weights Gewichte");  // {=} stays
  CHECK(de.translated(" of ") == " of ");                                    // no place is empty
}

TEST_CASE("lines, parts and what stands behind a known word and a colon are translated by themselves") {
  const PhraseBook de = book();
  CHECK(de.translated("weights\nrow 1") == "Gewichte\nZeile 1");
  CHECK(de.translated("weights · 3×3 · row 1") == "Gewichte · 3×3 · Zeile 1");
  CHECK(de.translated("row 1. Undo") == "Zeile 1. Rückgängig");
  CHECK(de.translated("Undo. weights") == "Undo. Gewichte");
  CHECK(de.translated("Edit: Undo") == "Bearbeiten: Rückgängig");
  CHECK(de.translated("mine: Undo") == "mine: Undo");
}

TEST_CASE("a name has no quotes in it") {
  PhraseBook de;
  de.add("“{=}”", "„{=}“");
  de.add("{} to {}", "{} zu {}");
  CHECK(de.translated("“the word”") == "„the word“");
  CHECK(de.translated("“7”") == "„7“");
  CHECK(de.translated("“the one” to “the other”") == "„the one“ zu „the other“");
}

TEST_CASE("names stay as they are, wherever they stand") {
  const PhraseBook de = book();
  const TextSet names{"weights", "row 7"};
  CHECK(de.translated("weights", names) == "weights");
  CHECK(de.translated("row weights", names) == "Zeile weights");
  CHECK(de.translated("row 7 · row 8", names) == "row 7 · Zeile 8");
}

TEST_CASE("a translation has the places of its text") {
  PhraseBook made;
  CHECK_THROWS_WITH_AS(made.add("row {}", "Zeile"), "“Zeile” has not the places of “row {}”", Error);
  CHECK_THROWS_AS(made.add("row {}", "Zeile {2}"), Error);
  CHECK_THROWS_AS(made.add("{} of {}", "{1} von {1}"), Error);
  CHECK_NOTHROW(made.add("{weights[0,0]:4} is it", "Es ist {weights[0,0]:4}"));  // a number of a lesson
  CHECK(places_of("{2} von {1}, {#} {=} {x}") == std::vector<std::string>{"2", "1", "#", "="});
  CHECK(places_of("{{}} {a{#}b} } {") == std::vector<std::string>{"", "#"});
  made.add("row", "Zeile");
  made.add("row", "Reihe");
  CHECK(made.translated("row") == "Zeile");
}

TEST_CASE("a text of nothing but places and parts ends") {
  PhraseBook made;
  made.add("{}{}", "{}{}");
  made.add("{} and {}", "{} und {}");
  std::string text = "a b";
  for (int i = 0; i < 200; ++i) text += " and a b";
  CHECK(made.translated(text).starts_with("a b und a b"));
}
