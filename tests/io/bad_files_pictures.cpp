// Pictures whose chunks or session are damaged, and files of other programs.
#include <zlib.h>

#include "core/document/document.h"
#include "core/io/file_kind.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "core/io/svg.h"
#include "core/system/error.h"
#include "core/text/base64.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

constexpr std::string_view kPackedHead("attention-lab session\0\1\0\0\0", 26);
constexpr std::string_view kPlainHead("attention-lab session\0\0\0\0\0", 26);

std::vector<std::byte> good_picture() {
  return write_png({1, 1, {0, 0, 0}}, write_session({}));
}

std::vector<std::byte> packed_text(const std::string& text) {
  std::vector<std::byte> packed(compressBound(text.size()));
  uLongf size = packed.size();
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            text.size(), 1);
  packed.resize(size);
  return packed;
}

// A picture of one iTXt chunk.
std::vector<std::byte> with_chunk(std::string_view head, Bytes content) {
  std::vector<std::byte> body = bytes_of("iTXt"), file = bytes_of("\x89PNG\r\n\x1a\n");
  append(body, head);
  append(body, content);
  append_big(file, static_cast<std::uint32_t>(body.size() - 4));
  append(file, body);
  append_big(file, crc32_of(body));
  append(file, std::string_view("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  return file;
}

BadFile session_text(const std::string& name, std::string_view head, const std::string& text,
                     std::vector<const char*> said) {
  const bool packed = head == kPackedHead;
  return {
      name,
      [=, head = std::string(head)] { return with_chunk(head, packed ? packed_text(text) : bytes_of(text)); },
      std::move(said)};
}

BadFile picture(const std::string& name, std::function<void(std::vector<std::byte>&)> damage,
                std::vector<const char*> said) {
  const auto make = [damage = std::move(damage)] {
    std::vector<std::byte> bytes = good_picture();
    damage(bytes);
    return bytes;
  };
  return {name, make, std::move(said)};
}

BadFile foreign(const std::string& name, const std::string& bytes, std::vector<const char*> said) {
  return {name, [bytes] { return bytes_of(bytes); }, std::move(said)};
}

// Where the session's chunk begins: behind the signature, IHDR (25 bytes) and IDAT.
std::size_t session_chunk_at(const std::vector<std::byte>& bytes) {
  return as_text(bytes).find("iTXt") - 4;
}

}  // namespace

BadFiles bad_pictures() {
  const std::string head = R"({"format": "attention-lab session", "version": 2, "layer": {"x": )";
  return {"picture",
          [](std::span<const std::byte> bytes) { read_session(session_in_png(bytes)); },
          {picture("cut behind its signature", [](auto& b) { b.resize(8); }, {"byte 8", "cut short"}),
           picture("cut in its first chunk", [](auto& b) { b.resize(20); }, {"byte 8", "cut short"}),
           picture("cut in its session", [](auto& b) { b.resize(session_chunk_at(b) + 60); }, {"cut short"}),
           picture("a chunk of 4 GiB", [](auto& b) { b[8] = std::byte{0xff}; }, {"byte 8", "cut short"}),
           picture("a wrong checksum", [](auto& b) { b[30] ^= std::byte{1}; }, {"byte 8", "checksum"}),
           picture("a wrong checksum of its session",
                   [](auto& b) { b[session_chunk_at(b) + 40] ^= std::byte{1}; }, {"byte", "checksum"}),
           {"no session",
            [] {
              return write_png({1, 1, {0, 0, 0}}, "");
            },
            {"carries no session"}},
           session_text("another program's text", "another text\0", "hi", {"carries no session"}),
           session_text("a session without its fields", std::string_view("attention-lab session\0\1", 23), "",
                        {"damaged"}),
           session_text("a session packed by another method",
                        std::string_view("attention-lab session\0\1\7\0\0", 26), "{}", {"damaged"}),
           {"packed data that is none",
            [] { return with_chunk(kPackedHead, bytes_of("no zlib here")); },
            {"damaged"}},
           {"packed data that is cut",
            [] {
              auto packed = packed_text(write_session({}));
              return packed.resize(packed.size() / 2), with_chunk(kPackedHead, packed);
            },
            {"damaged"}},
           session_text("a session of no text", kPackedHead, "", {"line 1, column 1"}),
           session_text("a session that is no JSON", kPlainHead, "no JSON", {"line 1, column 2", "literal"}),
           session_text("a session that is cut", kPackedHead, head + "[[1, 2", {"line 1", "end of input"}),
           session_text("a bomb of spaces", kPackedHead, head + std::string(64 * kMega, ' '),
                        {"without a single value"}),
           session_text("a bomb of brackets", kPackedHead, head + std::string(64 * kMega, '['), {"layer.x"}),
           session_text("a bomb of zero bytes", kPackedHead, std::string(64 * kMega, '\0'),
                        {"line 1, column 1", "zero byte"})}};
}

BadFiles bad_svg() {
  const auto svg = [](const std::string& name, const std::string& inside, std::vector<const char*> said) {
    return BadFile{name, [inside] { return bytes_of("<svg xmlns=\"a\">" + inside + "</svg>"); },
                   std::move(said)};
  };
  const auto with_session = [&](const std::string& name, const std::string& letters,
                                std::vector<const char*> said) {
    return svg(name,
               "<metadata><al:session xmlns:al=\"urn:attention-lab:session\">" + letters +
                   "</al:session></metadata>",
               std::move(said));
  };
  const std::string good = session_metadata(write_session({}));
  const std::string open = "<metadata><al:session xmlns:al=\"urn:attention-lab:session\">";
  return {"svg",
          [](std::span<const std::byte> bytes) { read_session(session_in_svg(bytes)); },
          {svg("no session", "<rect/>", {"carries no session"}),
           svg("another program's metadata", "<metadata>urn:attention-lab:session</metadata>",
               {"carries no session"}),
           svg("our name elsewhere", "<desc>urn:attention-lab:session</desc><session>e30=</session>",
               {"carries no session"}),
           svg("an empty element", "<metadata><session xmlns=\"urn:attention-lab:session\"/></metadata>",
               {"carries no session"}),
           {"cut in its session",
            [=] { return bytes_of("<svg>" + good.substr(0, good.size() / 2)); },
            {"cut short"}},
           {"cut before its session", [] { return bytes_of("<svg xmlns="); }, {"cut short"}},
           {"a start without an end", [=] { return bytes_of("<svg>" + open.substr(0, 30)); }, {"cut short"}},
           with_session("letters that are no base64", "e30=?", {"damaged", "base64"}),
           with_session("base64 that is cut", "eJyr", {"damaged"}),
           with_session("nothing", "", {"damaged"}),
           with_session("what is not packed", base64_of(bytes_of("{}")), {"damaged"}),
           with_session("no JSON", base64_of(packed_text("no JSON")), {"line 1, column 2", "literal"}),
           with_session("a bomb of spaces",
                        base64_of(packed_text("{\"format\": " + std::string(64 * kMega, ' '))), {"line 1"}),
           with_session("a bomb of zero bytes", base64_of(packed_text(std::string(64 * kMega, '\0'))),
                        {"line 1, column 1", "zero byte"})}};
}

BadFiles bad_foreign() {
  using namespace std::string_literals;
  const auto refuse = [](std::span<const std::byte> bytes) {
    const FileKind kind = kind_of(bytes, "model.pt");
    if (const std::string why = refusal_of(kind, bytes, "model.pt"); !why.empty()) throw Error(why);
  };
  return {
      "file of another program",
      refuse,
      {foreign("an empty file", "", {"empty"}),
       foreign("a PyTorch file", "PK\3\4"s + std::string(26, '\0') + "archive/data.pkl",
               {"PyTorch", "torch.load"}),
       foreign("a PyTorch file of another name", "PK\3\4"s + std::string(26, '\0') + "model/data.pkl",
               {"torch.load"}),
       foreign("a PyTorch file from before 1.6", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.",
               {"torch.load"}),
       foreign("a PyTorch file that is cut", "PK\3\4"s + std::string(26, '\0') + "archive/data.pkl\x80\x02",
               {"torch.load"}),
       foreign("a pickle of protocol 2", "\x80\x02}q\0X\x01"s, {"pickle", "pickle.load"}),
       foreign("a pickle of protocol 4", "\x80\x04\x95\x0f\0\0\0\0\0\0\0}\x94."s, {"pickle", "pickle.load"}),
       foreign("a pickle that would run a program",
               "\x80\x02"s
               "cos\nsystem\nX\x04\0\0\0true\x85R."s,
               {"is not run here"}),
       foreign("GGUF", "GGUF\3\0\0\0"s, {"GGUF", "safetensors"}),
       foreign("HDF5", "\x89HDF\r\n\x1a\n\0"s, {"HDF5", "h5py"}),
       foreign("MATLAB 5", "MATLAB 5.0 MAT-file, Platform: GLNXA64"s, {"MATLAB", "loadmat"}),
       foreign("MATLAB 7.3", "MATLAB 7.3 MAT-file, Platform: GLNXA64"s, {"MATLAB", "h5py"}),
       foreign("Parquet", "PAR1\x15\4"s, {"Parquet", "to_csv"}),
       foreign("Feather", "ARROW1\0\0"s, {"Feather", "to_csv"}),
       foreign("ONNX", "\x08\x07\x12\x07pytorch\x1a"s, {"ONNX", "numpy.savez"}),
       foreign("Excel", "PK\3\4"s + std::string(26, '\0') + "[Content_Types].xml", {"spreadsheet", "CSV"}),
       foreign("Excel from before 2007", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0"s, {"spreadsheet", "CSV"}),
       foreign("gzip", "\x1f\x8b\x08\0"s, {"gzip", "unpack it"}),
       foreign("Zstandard", "\x28\xb5\x2f\xfd\0"s, {"zstd", "unpack it"}),
       foreign("a program",
               "\x7f"
               "ELF\2\1\1\0\0"s,
               {"none of the files that are read"}),
       foreign("nothing but zeros", std::string(4096, '\0'), {"none of the files that are read"})}};
}

}  // namespace attn::tests
