// Sessions that name large matrices by file and digest: found again, wherever both went together; otherwise
// it is said what to do.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>

#include "core/io/layer_npz.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/io/io_testing.h"
#include "tests/random_layer.h"

namespace attn::tests {
namespace {

constexpr std::size_t kWide = 1024;  // its square is as large as what is named

std::vector<std::byte> npy_of(const Tensor& tensor) {
  return write_npy(std::array{tensor.rows(), tensor.columns()}, tensor.values());
}

// A session in a folder, whose layer came from an archive in another.
struct Named : ScratchFolder {
  Named() {
    for (const char* name : {"data", "work"}) std::filesystem::create_directory(*this / name);
    write_layer(1);
    document.layers = {parse_layer_npz(read_file(archive), nullptr, {archive})};
  }
  void write_layer(std::uint64_t seed) const {
    write_file(archive, write_npz(std::vector<std::pair<std::string, std::vector<std::byte>>>{
                            {"x", npy_of(drawn({1, 2, kWide}, 2))},
                            {"w_q", npy_of(drawn({1, kWide, kWide}, seed))},
                            {"w_k", npy_of(drawn({1, kWide, kWide}, 3))},
                            {"w_v", npy_of(drawn({1, kWide, 2}, 4))}}));
  }
  std::string written(const Document& of) const { return write_session(of, {}, {*this / "work"}); }
  Document read(const std::string& session, const std::string& folder = "work") const {
    return read_session(source_of(session), nullptr, {*this / folder});
  }

  // With w_q alone of the large ones: as text they take long.
  Document with_one() const {
    Document one = document;
    one.layer().w_k = {};
    return one;
  }

  std::string archive = *this / "data/layer.npz";
  Document document;
};

TEST_CASE("a session names large matrices that are as in their file and holds the others") {
  const Named named;
  const std::string session = named.written(named.document);
  CHECK(session.size() < 100'000);
  CHECK(mentions(session, {"\"version\": 3",
                           "\"w_q\": {\"file\": \"../data/layer.npz\", \"array\": \"w_q\", "
                           "\"shape\": [1, 1024, 1024], \"digest\": \""}));
  CHECK(named.read(session) == named.document);
  // What was read is named again.
  CHECK(named.written(named.read(session)) == session);
}

TEST_CASE("a matrix that has changed since is held and one of a file that has changed since too") {
  const Named named;
  Document edited = named.document;
  edited.layer().w_q = with_value(edited.layer().w_q, {0, 1, 2}, 7);
  const std::string session = named.written(edited);
  CHECK(mentions(session, {"\"w_k\": {\"file\""}));
  CHECK_FALSE(session.find("\"w_q\": {") != session.npos);
  named.write_layer(5);
  CHECK(named.read(session) == edited);
  const Document one = named.with_one();
  CHECK(parse_session(named.written(one)) == one);
  std::filesystem::remove(named.archive);
  CHECK(mentions(named.written(one), {"\"version\": 2"}));
}

TEST_CASE("a session that is no file holds all") {
  const Named named;
  const std::string session = write_session(named.with_one());
  CHECK(session.find("\"file\"") == session.npos);
  CHECK(mentions(reason([&] { parse_session(named.written(named.document)); }),
                 {"layer.w_q", "../data/layer.npz", "only a session that is a file"}));
}

TEST_CASE("a file that went along with its session is found beside it") {
  const Named named;
  const std::string session = named.written(named.document);
  std::filesystem::create_directory(named / "elsewhere");
  std::filesystem::rename(named.archive, named / "elsewhere/layer.npz");
  CHECK(named.read(session, "elsewhere") == named.document);
  // Nor does another of its name keep it from being found.
  named.write_layer(6);
  CHECK(named.read(session, "elsewhere") == named.document);
}

TEST_CASE("a file that is missing or holds other numbers is told with what to do") {
  const Named named;
  std::string session = named.written(named.document);
  named.write_layer(5);
  CHECK(mentions(reason([&] { named.read(session); }),
                 {"layer.w_q is the array \"w_q\" of ../data/layer.npz, which holds other numbers",
                  "put the file back as it was, there or beside the session", "leave its \"digest\" out"}));
  std::filesystem::remove(named.archive);
  CHECK(mentions(reason([&] { named.read(session); }),
                 {"layer.w_q is the array", "neither there nor beside the session: put the file back"}));
  write_file(named.archive, std::string("PK, but no archive"));
  CHECK(mentions(reason([&] { named.read(session); }),
                 {"layer.npz, which cannot be read: it is not a zip file"}));
}

TEST_CASE("a name that a person writes needs a file alone") {
  const Named named;
  const std::string name = *static_cast<const ScratchFolder*>(&named) / "work/x.npy";
  write_file(name, npy_of(drawn({1, 3, 2}, 1)));
  const auto read = [&](const std::string& x) {
    return named.read(R"({"format": "attention-lab session", "version": 3, "layer": {"x": )" + x + "}}")
        .layer()
        .x;
  };
  CHECK(read(R"({"file": "x.npy"})") == drawn({1, 3, 2}, 1));
  CHECK(read(R"({"file": "x.npy", "shape": [3, 1, 2]})").shape() == Shape{3, 1, 2});
  const auto refused = [&](const std::string& x) { return reason([&] { read(x); }); };
  CHECK(mentions(refused(R"({"file": "x.npy", "shape": [2, 2]})"), {"layer.x", "has the shape 3×2"}));
  CHECK(mentions(refused(R"({"file": "x.npy", "array": "y"})"),
                 {"the array \"y\" of x.npy", "cannot be read"}));
  CHECK(
      mentions(refused(R"({"file": "../data/layer.npz", "array": "y"})"), {"there is no array \"y\" in it"}));
  CHECK(mentions(refused(R"({"array": "y"})"), {"layer.x must be rows of numbers"}));
  CHECK(mentions(refused(R"({"file": "x.npy", "digst": ""})"), {"did you mean digest?"}));
  CHECK(mentions(refused(R"({"file": {"file": "x.npy"}})"), {"layer.x.file must be a text"}));
}

}  // namespace
}  // namespace attn::tests
