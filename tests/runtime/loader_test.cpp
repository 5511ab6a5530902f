// Finding implementations. RT_PLUGIN, RT_HIDDEN and RT_KNOWN are the file names of libraries to
// load.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "classes.hpp"
#include "sidl_BaseClass.h"
#include "sidl_BaseException.h"
#include "sidl_DLL.h"
#include "sidl_Loader.h"
#include "sidl_Resolve.h"
#include "sidl_Scope.h"
#include "sidl_io_Serializable.h"
#include "sidl_protocol.h"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using rt::Exception;
using rt::ok;
using rt::Ref;
using rt::take;
using rt::threw;

class Loader : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("shinar-rt-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    sidl_Loader_setSearchPath("", &ex);
    sidl_Loader_unloadLibraries(&ex);
    EXPECT_TRUE(ok(ex));
    fs::remove_all(folder_);
  }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    std::ofstream(file) << text;
    return file.string();
  }

  static std::string catalogue(const std::string& uri) {
    return "<?xml version='1.0'?>\n<!DOCTYPE scl>\n<scl> <!-- all there is -->\n"
           "<library uri=\"" +
           uri +
           "\" scope=\"local\" resolution='now' md5=\"0\">\n"
           "  <class name='rt.Plugin' desc='ior/impl'/><class name='rt.Fault'/><class "
           "name=\"rt.A&amp;B\"></class>\n"
           "</library></scl>\n";
  }

  // Is the class found along this path? Says why not.
  void expect_not_found(const std::string& path, const std::string& reason) {
    sidl_Loader_setSearchPath(path.c_str(), &ex);
    Ref<void> dll(sidl_Loader_findLibrary("rt.Plugin", "ior/impl", sidl_Scope_SCLSCOPE,
                                          sidl_Resolve_SCLRESOLVE, &ex));
    EXPECT_FALSE(dll) << path;
    EXPECT_TRUE(ok(ex));
    EXPECT_EQ(rt_Missing__create(&ex), nullptr);
    std::string note;
    EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
    EXPECT_NE(note.find(reason), std::string::npos) << note << "\nlacks: " << reason;
  }

  Exception ex = nullptr;
  fs::path folder_;
};

// What is caught here may be looked for in catalogues, as what is made here is. (A class without
// methods of its own is made up from its parent's, which was not looked for.) First, while
// the library is not loaded.
TEST_F(Loader, FindsParentsOfExceptionsThroughCatalogues) {
  sidl_Loader_setSearchPath(write("a.scl", catalogue(RT_PLUGIN)).c_str(), &ex);
  ASSERT_TRUE(ok(ex));
  Ref<sidl_BaseException__object> fault(sidl_exception_by_name("rt.DeepFault", &ex));
  ASSERT_TRUE(ok(ex));
  ASSERT_TRUE(fault);
  EXPECT_STREQ(sidl_object_type(fault.get())->name, "rt.DeepFault");
  EXPECT_FALSE(sidl_value_is_stand_in(fault.get()));
}

// Early, because afterwards the class is known for good.
TEST_F(Loader, FindsClassesThroughCatalogues) {
  write("a.scl", catalogue((folder_ / "not-built.so").string()));
  write("b.scl", catalogue(RT_PLUGIN));
  EXPECT_EQ(rt_Plugin__create(&ex), nullptr);
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException"));
  sidl_Loader_addSearchPath(("/no/such/folder;" + folder_.string()).c_str(), &ex);
  EXPECT_EQ(take(sidl_Loader_getSearchPath(&ex)), "/no/such/folder;" + folder_.string());
  Ref<rt_Plugin__object> plugin(rt_Plugin__create(&ex));
  ASSERT_TRUE(ok(ex));
  EXPECT_EQ(rt_Plugin_answer(plugin.get(), &ex), 42);
}

// ';' separates, or ':' where there is no ';'.
TEST_F(Loader, SeparatorsOfThePath) {
  const std::string file = write("a.scl", catalogue(RT_PLUGIN));
  const std::string odd = write("o:dd.scl", catalogue(RT_PLUGIN));
  struct {
    std::string path, added, in_force;
    bool found;
  } const cases[] = {
      {"/no/such:" + file, "", "/no/such;" + file, true},
      {":" + file + ":", "", ";" + file + ";", true},
      {odd, "", (folder_ / "o").string() + ";dd.scl", false},
      {odd + ";", "", odd + ";", true},
      {"/no/such;/no:" + file, "", "/no/such;/no:" + file, false},
      {"/no:/such", file, "/no;/such;" + file, true},
      {"/no;/such", "/none:" + file, "/no;/such;/none;" + file, true},
      {"/no:/such", odd + ";", "/no;/such;" + odd + ";", true},
      {"file:" RT_PLUGIN ":/no", "", "file:" RT_PLUGIN ";/no", false},
  };
  for (const auto& c : cases) {
    sidl_Loader_setSearchPath(c.path.c_str(), &ex);
    sidl_Loader_addSearchPath(c.added.c_str(), &ex);
    EXPECT_EQ(take(sidl_Loader_getSearchPath(&ex)), c.in_force);
    Ref<void> dll(sidl_Loader_findLibrary("rt.Plugin", "ior/impl", sidl_Scope_SCLSCOPE,
                                          sidl_Resolve_SCLRESOLVE, &ex));
    EXPECT_EQ(static_cast<bool>(dll), c.found) << c.path;
    EXPECT_TRUE(ok(ex));
  }
}

TEST_F(Loader, FoldersThatAreNotThereAreNamed) {
  expect_not_found("/no/such:/nor/this", "/no/such: No such file or directory; /nor/this: No such");
  expect_not_found(
      "/no/such:/nor/this;",
      "/no/such:/nor/this: No such file or directory (in a path that contains ';', ':' "
      "is not a separator)");
}

TEST_F(Loader, SaysWhatIsWrongWithALibrary) {
  const std::string opening = "<scl><library uri='";
  const std::string closing = "'><class name='rt.Missing'/></library></scl>";
  write("a.scl", opening + (folder_ / "not-built.so").string() + closing);
  write("b.scl", opening + RT_PLUGIN + closing);
  sidl_Loader_setSearchPath(folder_.c_str(), &ex);
  EXPECT_EQ(rt_Missing__create(&ex), nullptr);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.RuntimeException", &note));
  EXPECT_NE(note.find("not-built.so: cannot open shared object file"), std::string::npos) << note;
  EXPECT_NE(note.find(RT_PLUGIN " lacks class rt.Missing"), std::string::npos) << note;
}

TEST_F(Loader, RelativeUrisAndLinksBesideTheCatalogue) {
  fs::create_symlink(RT_PLUGIN, folder_ / "beside.so");
  sidl_Loader_setSearchPath(write("b.scl", catalogue("beside.so")).c_str(), &ex);
  Ref<sidl_DLL__object> dll(sidl_Loader_findLibrary("rt.Plugin", "ior/impl", sidl_Scope_SCLSCOPE,
                                                    sidl_Resolve_SCLRESOLVE, &ex));
  ASSERT_TRUE(dll);
  EXPECT_EQ(take(sidl_DLL_getName(dll.get(), &ex)), (folder_ / "beside.so").string());
  EXPECT_FALSE(sidl_DLL_isGlobal(dll.get(), &ex));
  EXPECT_FALSE(sidl_DLL_isLazy(dll.get(), &ex));
  EXPECT_NE(sidl_DLL_lookupSymbol(dll.get(), "rt_Plugin__class", &ex), nullptr);
  EXPECT_EQ(sidl_DLL_lookupSymbol(dll.get(), "no_such", &ex), nullptr);
  Ref<void> object(sidl_DLL_createClass(dll.get(), "rt.Plugin", &ex));
  EXPECT_TRUE(object);
  EXPECT_EQ(sidl_DLL_createClass(dll.get(), "rt.Nope", &ex), nullptr);
  EXPECT_TRUE(ok(ex));
  Ref<void> other(sidl_Loader_findLibrary("rt.Plugin", "python/impl", sidl_Scope_LOCAL,
                                          sidl_Resolve_LAZY, &ex));
  EXPECT_FALSE(other);
  sidl_DLL_unloadLibrary(dll.get(), &ex);
  EXPECT_EQ(take(sidl_DLL_getName(dll.get(), &ex)), "");
  EXPECT_EQ(sidl_DLL_lookupSymbol(dll.get(), "rt_Plugin__class", &ex), nullptr);
}

// Libtool's archives, installed and not.
TEST_F(Loader, ArchivesOfLibtool) {
  const std::string comment = "# libplugin.la - a libtool library file\n# Generated by libtool\n\n";
  const auto is_found = [&](const std::string& name, const std::string& text) {
    const std::string file = write("a.scl", catalogue(write(name, comment + text)));
    sidl_Loader_setSearchPath(file.c_str(), &ex);
    Ref<sidl_DLL__object> dll(sidl_Loader_findLibrary("rt.Plugin", "ior/impl", sidl_Scope_SCLSCOPE,
                                                      sidl_Resolve_SCLRESOLVE, &ex));
    EXPECT_TRUE(ok(ex));
    return dll && sidl_DLL_lookupSymbol(dll.get(), "rt_Plugin__class", &ex) != nullptr;
  };
  fs::create_directories(folder_ / "built" / ".libs");
  for (const char* const name : {"installed.so.7", "built/.libs/libplugin.so.1", "nameless.so"}) {
    fs::create_symlink(RT_PLUGIN, folder_ / name);
  }
  EXPECT_TRUE(is_found("installed.la", "dlname='installed.so.7'\nlibrary_names='installed.so'\n"));
  EXPECT_TRUE(is_found("built/libplugin.la", "dlname='libplugin.so.1'\n"));
  EXPECT_TRUE(is_found("nameless.la", "dlname=''\nlibrary_names=''\n"));
  EXPECT_FALSE(is_found("missing.la", "dlname='no.so'\n"));
  EXPECT_FALSE(is_found("elsewhere.la", "dlname='" RT_PLUGIN "'\n"));  // it has no folder
}

TEST_F(Loader, Libraries) {
  Ref<sidl_DLL__object> dll(sidl_Loader_loadLibrary("file:" RT_PLUGIN, FALSE, TRUE, &ex));
  ASSERT_TRUE(dll);
  EXPECT_TRUE(sidl_DLL_isLazy(dll.get(), &ex));
  EXPECT_EQ(sidl_Loader_loadLibrary("/no/such/library.so", FALSE, TRUE, &ex), nullptr);
  EXPECT_EQ(sidl_Loader_loadLibrary(nullptr, FALSE, TRUE, &ex), nullptr);
  EXPECT_TRUE(ok(ex));
  Ref<sidl_DLL__object> program(sidl_Loader_loadLibrary("main:", FALSE, TRUE, &ex));
  ASSERT_TRUE(program);
  EXPECT_NE(sidl_DLL_lookupSymbol(program.get(), "rt_Base__class", &ex), nullptr);
  sidl_Loader_addDLL(program.get(), &ex);
  EXPECT_TRUE(ok(ex));
}

TEST_F(Loader, FindsClassesOfPrivateLibraries) {
  EXPECT_EQ(sidl_type_find("rt.Hidden"), nullptr);
  ASSERT_NE(dlopen(RT_KNOWN, RTLD_NOW | RTLD_LOCAL), nullptr) << dlerror();
  const sidl_type_info* const known = sidl_type_find("rt.Hidden");
  ASSERT_NE(known, nullptr);
  void* const library = dlopen(RT_HIDDEN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "rt_Hidden__class"), nullptr);
  EXPECT_EQ(sidl_type_find("rt.Hidden"), known);
  EXPECT_EQ(sidl_value_by_name("rt.Hidden", &ex), nullptr) << "a peer's wish made a class ready";
  EXPECT_TRUE(ok(ex));
  using Answer = int32_t (*)(Exception*);
  const auto answer = reinterpret_cast<Answer>(dlsym(library, "hidden_answer"));
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer(&ex), 42);
  EXPECT_TRUE(ok(ex));
  // one of the class that has been made here, though not for whoever has the type's first table
  Ref<sidl_io_Serializable__object> value(sidl_value_by_name("rt.Hidden", &ex));
  EXPECT_TRUE(ok(ex));
  EXPECT_TRUE(value);
}

TEST_F(Loader, BadCataloguesAreReported) {
  struct {
    const char* text;
    const char* reason;
  } const cases[] = {
      {"", "unexpected end of file"},
      {"garbage", "text between elements"},
      {"<scl>\n<library uri='x'>\n</scl>", ":3: end tag without start tag"},
      {"<scl><library uri='x'><class name='rt.X'></library></scl>", "end tag"},
      {"<scl><library><class name='rt.X'/></library></scl>", "<library> without uri"},
      {"<scl><library uri='x'><class/></library></scl>", "<class> without name"},
      {"<scl><class name='x'/></scl>", "unexpected element"},
      {"<scl><library uri='x", "closing quote"},
      {"<scl><library uri=x/></scl>", "missing quote"},
      {"<scl><library uri='&bomb;'/></scl>", "unknown entity"},
      {"<scl><!-- ", "unexpected end of file"},
      {"<scl/><scl/>", "unexpected element"},
      {"</", "missing name"},
      {"<", "missing name"},
      {"<scl", "unexpected end of file"},
  };
  for (const auto& c : cases) expect_not_found(write("bad.scl", c.text), c.reason);
  expect_not_found(write("long.scl", "<scl><library uri='" + std::string(5000, 'x') + "'/></scl>"),
                   "attribute too long");
  expect_not_found(write("deep.scl", "<" + std::string(100, 'a') + ">"), "name too long");
  expect_not_found((folder_ / "none.scl").string(), "none.scl: No such file");
  expect_not_found(write("huge.scl", std::string((1 << 20) + 1, ' ')), "larger than 1 MiB");
}

}  // namespace
