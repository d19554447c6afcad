// Files appear whole or not at all, on a real file system: links, permissions, pipes, a sparse file of 4 GiB,
// and a limit on file sizes in a child process, which fails a write in its middle as a full disk does.
#include "core/system/file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "core/system/child.h"
#include "core/system/error.h"
#include "tests/io/io_testing.h"
#include "tests/places.h"

namespace attn::tests {
namespace {

namespace fs = std::filesystem;

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "attention-lab-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const char* name) const { return (path_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

std::string text_in(const std::string& path) {
  return text_of(read_file(path));
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

std::string write_refusal(const std::string& path, const std::string& text = "new") {
  return reason([&] { write_file(path, text); });
}

TEST_CASE("a written file is read back and replaced") {
  const Folder folder;
  const std::string path = folder.file("größe .json"), large(3000000, 'x');
  for (const std::string& text : {std::string("old"), large, std::string()}) {
    write_file(path, text);
    CHECK(text_in(path) == text);
  }
  CHECK(folder.count() == 1);
}

TEST_CASE("a replaced file keeps its permissions") {
  const Folder folder;
  const std::string path = folder.file("a");
  write_file(path, "old");
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  write_file(path, "new");
  CHECK(mode_of(path) == 0640);
  write_file(path, "private", Readers::owner);
  CHECK(mode_of(path) == 0640);
}

TEST_CASE("a new file is for everyone or for its owner as asked") {
  const Folder folder;
  const mode_t before = umask(022);
  write_file(folder.file("shared"), "a");
  write_file(folder.file("private"), "a", Readers::owner);
  make_private_folder(folder.file("new/inner"));
  umask(before);
  CHECK(mode_of(folder.file("shared")) == 0644);
  CHECK(mode_of(folder.file("private")) == 0600);
  CHECK(mode_of(folder.file("new")) == 0700);
  CHECK(mode_of(folder.file("new/inner")) == 0700);
  CHECK(mentions(reason([&] { make_private_folder(folder.file("shared/inner")); }),
                 {"cannot make the folder", "shared"}));
}

TEST_CASE("saving through a link replaces what it points to") {
  const Folder folder;
  write_file(folder.file("real"), "old");
  fs::create_symlink("real", folder.file("link"));
  write_file(folder.file("link"), "new");
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(text_in(folder.file("real")) == "new");
}

TEST_CASE("saving through links that lead nowhere yet makes the file they name") {
  const Folder folder;
  fs::create_directory(folder.file("far"));
  fs::create_symlink("far/second", folder.file("first"));
  fs::create_symlink("real", folder.file("far/second"));
  write_file(folder.file("first"), "new");
  CHECK(fs::is_symlink(folder.file("first")));
  CHECK(fs::is_symlink(folder.file("far/second")));
  CHECK(text_in(folder.file("far/real")) == "new");
}

TEST_CASE("saving through links that lead in a circle is refused") {
  const Folder folder;
  fs::create_symlink("b", folder.file("a"));
  fs::create_symlink("a", folder.file("b"));
  CHECK(mentions(write_refusal(folder.file("a")), {"cannot write", "in a circle"}));
  CHECK(fs::is_symlink(folder.file("a")));
}

TEST_CASE("what a killed program was writing is removed by the next write and nothing else is") {
  const Folder folder;
  const char* foreign[] = {".attention-lab-.tmp", ".attention-lab-12x.tmp", "attention-lab-12.tmp"};
  for (const char* name : foreign) write_file(folder.file(name), "mine");
  FileWriter other(folder.file("b"));  // a write that goes on during this one
  other.write(bytes_of("whole"));
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    FileWriter killed(folder.file("a"));
    killed.write(bytes_of("half"));
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(folder.count() == 5);
  write_file(folder.file("a"), "new");
  CHECK(folder.count() == 5);
  other.commit();
  CHECK(text_in(folder.file("a")) == "new");
  CHECK(text_in(folder.file("b")) == "whole");
  for (const char* name : foreign) CHECK(text_in(folder.file(name)) == "mine");
}

TEST_CASE("reading what is not a file says why") {
  const Folder folder;
  const auto refusal = [&](const char* name) { return reason([&] { read_file(folder.file(name)); }); };
  CHECK(mentions(refusal("missing"), {"cannot read", "missing", "no such file"}));
  CHECK(mentions(refusal("."), {"it is a folder"}));
}

TEST_CASE("a file of unknown size is read to its end") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "hello", 5) == 5);
  close(ends[1]);
  CHECK(text_in("/dev/fd/" + std::to_string(ends[0])) == "hello");
  close(ends[0]);
}

TEST_CASE("a file of more than 4 GiB is refused unread") {
  const Folder folder;
  const std::string path = folder.file("sparse");
  write_file(path, "");
  REQUIRE(truncate(path.c_str(), (off_t{4} << 30) + 1) == 0);
  CHECK(mentions(reason([&] { read_file(path); }), {"larger than 4.0 GiB"}));
}

TEST_CASE("writing where it is impossible says why and leaves nothing behind") {
  const Folder folder;
  write_file(folder.file("file"), "old");
  fs::create_directory(folder.file("folder"));
  CHECK(mentions(write_refusal(folder.file("missing/a")), {"cannot write", "no such folder"}));
  CHECK(mentions(write_refusal(folder.file("folder")), {"it is a folder"}));
  CHECK(mentions(write_refusal(folder.file("file/a")), {"not a folder"}));
  CHECK(mentions(write_refusal("/dev/null"), {"not an ordinary file"}));
  CHECK(mentions(write_refusal(folder.file(std::string(300, 'x').c_str())), {"its name is too long"}));
  CHECK(mentions(write_refusal(""), {"it has no name"}));
  CHECK(folder.count() == 2);
}

TEST_CASE("a file too large for the disk or for its limit is refused before it is written") {
  const Folder folder;
  const FileWriter file(folder.file("a"));
  CHECK_NOTHROW(file.check_room(1));
  CHECK(mentions(reason([&] { file.check_room(std::uint64_t{1} << 60); }),
                 {"cannot write", "it takes 1.0 EiB", "the disk has room for"}));
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit little{4096, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &little) == 0);
  const std::string refusal = reason([&] { file.check_room(5000); });
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK(mentions(refusal, {"it takes 4.9 KiB", "may have 4.0 KiB", "ulimit -f"}));
}

TEST_CASE("a disk that is memory is known") {
  if (!fs::exists("/dev/shm")) return;
  CHECK(FileWriter("/dev/shm/attention-lab-file-test").in_memory());
  const std::string type = run_child("stat", {"--file-system", "--format=%T", kBinaryDir}, {}).output;
  REQUIRE_FALSE(type.empty());
  CHECK(FileWriter(std::string(kBinaryDir) + "/attention-lab-file-test").in_memory() ==
        (type == "tmpfs\n" || type == "ramfs\n"));
}

TEST_CASE("failing to write is an error of the output") {
  try {
    write_file("/dev/null/none/a", std::string("x"));
    FAIL("it was written");
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::output);
  }
}

// In a child process that may write 1000 bytes to a file: what a full disk does in the middle of a write.
int write_with_little_room(const std::string& path) {
  const rlimit limit{1000, 1000};
  std::signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
  try {
    write_file(path, std::string(5000, 'x'));
  } catch (const Error& error) {
    return mentions(error.what(), {"cannot write", "no file of this size"}) ? 0 : 2;
  }
  return 3;
}

TEST_CASE("a write that fails half way leaves the old file and no other") {
  const Folder folder;
  const std::string path = folder.file("a");
  write_file(path, "old");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(write_with_little_room(path));
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(text_in(path) == "old");
  CHECK(folder.count() == 1);
}

}  // namespace
}  // namespace attn::tests
