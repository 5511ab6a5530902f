/** Files and folders of a test, which are gone with it. */
#ifndef SHINAR_TESTS_TEMPORARY_HPP
#define SHINAR_TESTS_TEMPORARY_HPP

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

/** For others not to be entered. */
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / "shinar-test-XXXXXX") {
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/** A file with this text and this mode. */
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text, mode_t mode = 0600) {
    std::ofstream(path()) << text;
    EXPECT_EQ(::chmod(path().c_str(), mode), 0);
  }

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("file");
};

#endif
