#include "codegen/reserved_words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

namespace shinar::codegen {
namespace {

#include "codegen/c_macros.inc"

// Keywords, and the macros that GNU modes predefine.
constexpr auto kC = std::to_array<std::string_view>(
    {"auto",   "break",    "case",   "char",     "const",    "continue", "default", "do",
     "double", "else",     "enum",   "extern",   "float",    "for",      "goto",    "if",
     "inline", "int",      "linux",  "long",     "register", "restrict", "return",  "short",
     "signed", "sizeof",   "static", "struct",   "switch",   "typedef",  "typeof",  "union",
     "unix",   "unsigned", "void",   "volatile", "while"});

// What C++17 and C++20 add to those of C, and what GNU modes do.
constexpr auto kCxx = std::to_array<std::string_view>({"alignas",
                                                       "alignof",
                                                       "and",
                                                       "and_eq",
                                                       "asm",
                                                       "bitand",
                                                       "bitor",
                                                       "bool",
                                                       "catch",
                                                       "char16_t",
                                                       "char32_t",
                                                       "char8_t",
                                                       "class",
                                                       "co_await",
                                                       "co_return",
                                                       "co_yield",
                                                       "compl",
                                                       "concept",
                                                       "const_cast",
                                                       "consteval",
                                                       "constexpr",
                                                       "constinit",
                                                       "decltype",
                                                       "delete",
                                                       "dynamic_cast",
                                                       "explicit",
                                                       "export",
                                                       "false",
                                                       "friend",
                                                       "mutable",
                                                       "namespace",
                                                       "new",
                                                       "noexcept",
                                                       "not",
                                                       "not_eq",
                                                       "nullptr",
                                                       "operator",
                                                       "or",
                                                       "or_eq",
                                                       "private",
                                                       "protected",
                                                       "public",
                                                       "reinterpret_cast",
                                                       "requires",
                                                       "static_assert",
                                                       "static_cast",
                                                       "template",
                                                       "this",
                                                       "thread_local",
                                                       "throw",
                                                       "true",
                                                       "try",
                                                       "typeid",
                                                       "typename",
                                                       "typeof",
                                                       "using",
                                                       "virtual",
                                                       "wchar_t",
                                                       "xor",
                                                       "xor_eq"});

// Types that prototypes of generated code name, and a macro that other systems have.
constexpr auto kCHeaders =
    std::to_array<std::string_view>({"imaginary", "int32_t", "int64_t", "ior_t", "sidl_bool"});

// Types that generated functions use behind their arguments.
constexpr auto kCArgument =
    std::to_array<std::string_view>({"JNIEnv", "ior_t", "jboolean", "jbyte", "jchar", "jclass",
                                     "jdouble", "jfloat", "jint", "jlong", "jobject"});

// Types and functions of handles, and what their methods' declarations name.
constexpr auto kCxxMember =
    std::to_array<std::string_view>({"int32_t", "int64_t", "ior_t", "sepv_t", "type_name"});

// Of the standard and of POSIX: generated code includes many of them, and users the others.
constexpr auto kCTypes = std::to_array<std::string_view>(
    {"blkcnt_t",    "blksize_t",  "caddr_t",   "clock_t",   "clockid_t",  "daddr_t",
     "dev_t",       "div_t",      "double_t",  "error_t",   "float_t",    "fpos_t",
     "fsblkcnt_t",  "fsfilcnt_t", "fsid_t",    "gid_t",     "id_t",       "ino_t",
     "int16_t",     "int32_t",    "int64_t",   "int8_t",    "intmax_t",   "intptr_t",
     "key_t",       "ldiv_t",     "lldiv_t",   "locale_t",  "loff_t",     "mbstate_t",
     "mode_t",      "nlink_t",    "off_t",     "pid_t",     "pthread_t",  "ptrdiff_t",
     "quad_t",      "register_t", "sigset_t",  "size_t",    "socklen_t",  "ssize_t",
     "suseconds_t", "time_t",     "timer_t",   "uid_t",     "uint16_t",   "uint32_t",
     "uint64_t",    "uint8_t",    "uintmax_t", "uintptr_t", "useconds_t", "va_list",
     "wchar_t",     "wctrans_t",  "wctype_t",  "wint_t"});

// Functions, structs, variables and object-like macros of the headers that those of C++ include, as
// glibc has them. (Of functions for several types, just those for double.)
constexpr std::string_view kCxxGlobal =  // one text: a table would be of one word a line
    " abort abs access acct acos acosh alarm alloca asctime asin asinh asprintf atan atan2 atanh "
    "atexit atof atoi atol basename bcmp bcopy brk bsearch btowc bzero calloc canonicalize cbrt "
    "ceil chdir chown chroot clearenv clearerr clock clone close closefrom confstr copysign cos "
    "cosh crypt ctermid ctime cuserid daemon daylight difftime div dprintf drem dup dup2 dup3 "
    "duplocale dysize eaccess ecvt endusershell environ erf erfc errno euidaccess execl execle "
    "execlp execv execve execveat execvp execvpe exit exp exp2 expm1 fabs faccessat fadd fchdir "
    "fchown fchownat fclose fcloseall fcvt fdatasync fdim fdiv fdopen feof ferror fexecve "
    "fflush ffma ffs fgetc fgetpos fgets fgetwc fgetws fileno finite flockfile floor fma fmax "
    "fmaxmag fmemopen fmin fminmag fmod fmul fopen fopencookie fork fpathconf fprintf fputc "
    "fputs fputwc fputws fread free freelocale freopen frexp fscanf fseek fseeko fsetpos fsqrt "
    "fsub fsync ftell ftello ftruncate ftrylockfile funlockfile fwide fwprintf fwrite fwscanf "
    "gamma gcvt getc getchar getcpu getcwd getdate getdelim getdomainname getdtablesize getegid "
    "getentropy getenv geteuid getgid getgroups gethostid gethostname getline getloadavg "
    "getlogin getopt getpagesize getpass getpgid getpgrp getpid getppid getpt getresgid "
    "getresuid getsid getsubopt gettid getuid getusershell getw getwc getwchar getwd gmtime "
    "grantpt hypot ilogb index initstate isalnum isalpha isascii isatty isblank iscanonical "
    "iscntrl isctype isdigit iseqsig isgraph isinff isinfl islower isnanf isnanl isprint "
    "ispunct isspace isupper iswalnum iswalpha iswblank iswdigit iswgraph iswlower iswprint "
    "iswpunct iswspace iswupper iswxdigit isxdigit iszero itimerspec j0 j1 jn labs lchown lconv "
    "ldexp ldiv lgamma link linkat linux llabs lldiv llogb llrint llround localeconv localtime "
    "lockf log log2 logb lrint lround lseek malloc mblen mbrlen mbrtowc mbsinit mbsnrtowcs "
    "mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy "
    "memrchr memset mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp mktime modf nan "
    "nanosleep nearbyint newlocale nextafter nextdown nexttoward nextup nice obstack optarg "
    "opterr optind optopt pathconf pause pclose perror pipe pipe2 popen pow pread printf profil "
    "pselect ptsname putc putchar putenv puts putw putwc putwchar pwrite qecvt qfcvt qgcvt "
    "qsort rand random rawmemchr read readlink readlinkat realloc reallocarray realpath "
    "remainder remove remquo rename renameat renameat2 revoke rewind rindex rint rmdir round "
    "roundeven rpmatch sbrk scalb scalbn scanf select setbuf setbuffer setdomainname setegid "
    "setenv seteuid setgid sethostid sethostname setlinebuf setlocale setlogin setns setpgid "
    "setpgrp setregid setresgid setresuid setreuid setsid setstate setuid setusershell setvbuf "
    "sigevent signgam significand sin sincos sinh sleep snprintf sprintf sqrt srand srandom "
    "sscanf stderr stdin stdout stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul "
    "strcmp strcoll strcpy strcspn strdup strerror strfromd strfromf strfroml strfry strftime "
    "strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strptime strrchr strsep "
    "strsignal strspn strstr strtod strtof strtok strtol strtold strtoq strtoul strtouq "
    "strverscmp strxfrm swab swprintf swscanf symlink symlinkat sync syncfs syscall sysconf "
    "system tan tanh tcgetpgrp tcsetpgrp tempnam tgamma time timegm timelocal timespec timeval "
    "timex timezone tm tmpfile tmpnam toascii tolower toupper towctrans towlower towupper trunc "
    "truncate ttyname ttyslot tzname tzset ualarm uint ulong ungetc ungetwc unix unlink "
    "unlinkat unlockpt unsetenv unshare uselocale ushort usleep valloc vasprintf vhangup "
    "vprintf wcpcpy wcpncpy wcrtomb wctob wctomb wctrans wctype wcwidth wprintf write wscanf y0 "
    "y1 yn ";

// sidl_fortran.f90.
constexpr auto kFortranHandle =
    std::to_array<std::string_view>({"addref",        "assign",
                                     "cast",          "connect",
                                     "create",        "create_remote",
                                     "d_ior",         "deleteref",
                                     "dump_stats",    "dump_stats_static",
                                     "is_local",      "is_null",
                                     "is_remote",     "not_null",
                                     "set_contracts", "set_contracts_static",
                                     "set_hooks",     "set_hooks_static",
                                     "type_info",     "url",
                                     "wrap"});

// Names that do not begin with "sidl_".
constexpr auto kFortranProcedure = std::to_array<std::string_view>(
    {"aimag",      "allocated", "args_",       "associated",      "begin_",  "c_associated",
     "c_char",     "c_double",  "c_f_pointer", "c_f_procpointer", "c_float", "c_funptr",
     "c_int",      "c_int32_t", "c_int64_t",   "c_intptr_t",      "c_loc",   "c_null_char",
     "c_null_ptr", "c_ptr",     "char",        "cmplx",           "data_",   "epv_",
     "ex",         "ex_",       "exception",   "functions_",      "hooks_",  "int32",
     "int64",      "lbound",    "merge",       "method_",         "object_", "present",
     "real",       "real32",    "real64",      "retval",          "self",    "thrown_",
     "ticket",     "transfer",  "words_"});

// `m` is the module itself.
constexpr auto kFortranModule = std::to_array<std::string_view>({"finalise", "info", "m", "type"});

constexpr auto kFortranImpl = std::to_array<std::string_view>({"ctor", "dtor", "load"});

constexpr auto kPython = std::to_array<std::string_view>(
    {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
     "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
     "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
     "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});

// Modules that are part of every interpreter, or imported when it starts; and what the binding is
// made of.
constexpr auto kPythonModule = std::to_array<std::string_view>(
    {"abc",          "atexit", "builtins",    "codecs",    "encodings", "errno",
     "faulthandler", "gc",     "genericpath", "io",        "itertools", "marshal",
     "numpy",        "os",     "posix",       "posixpath", "pwd",       "shinar",
     "site",         "stat",   "sys",         "time",      "zipimport"});

// Modules that some interpreters have built in, as Debian's does, and those of the library that
// NumPy and the binding import.
constexpr auto kPythonLibrary = std::to_array<std::string_view>(
    {"array",     "ast",       "asyncio",     "base64",      "binascii",   "bisect",
     "bz2",       "cmath",     "collections", "concurrent",  "contextlib", "contextvars",
     "copy",      "copyreg",   "ctypes",      "dataclasses", "datetime",   "dis",
     "enum",      "fcntl",     "fnmatch",     "functools",   "grp",        "heapq",
     "importlib", "inspect",   "ipaddress",   "keyword",     "linecache",  "locale",
     "logging",   "lzma",      "math",        "ntpath",      "numbers",    "opcode",
     "operator",  "pathlib",   "pickle",      "platform",    "pyexpat",    "random",
     "re",        "reprlib",   "select",      "selectors",   "shutil",     "signal",
     "socket",    "spwd",      "ssl",         "string",      "struct",     "subprocess",
     "syslog",    "tempfile",  "textwrap",    "threading",   "token",      "tokenize",
     "traceback", "types",     "typing",      "unicodedata", "urllib",     "warnings",
     "weakref",   "xxsubtype", "zlib"});

// Words of Java's grammar that SIDL allows.
constexpr auto kJava = std::to_array<std::string_view>({"permits", "record", "sealed", "var"});

// What every Java object, exception or handle has.
constexpr auto kJavaMethod = std::to_array<std::string_view>(
    {"addSuppressed", "cast",          "clone",         "close",
     "connect",       "create",        "equals",        "fillInStackTrace",
     "finalize",      "getCause",      "getClass",      "getLocalizedMessage",
     "getMessage",    "getStackTrace", "getSuppressed", "hashCode",
     "initCause",     "notify",        "notifyAll",     "printStackTrace",
     "setStackTrace", "toString",      "wait"});

// Classes and packages that generated code names in expressions, where Java takes a variable of
// that name first.
constexpr auto kJavaType = std::to_array<std::string_view>(
    {"BaseArray", "BoolArray", "CharArray", "DoubleArray", "DoubleComplexArray", "EnumArray",
     "FloatArray", "FloatComplexArray", "Frame", "IntArray", "LongArray", "ObjectArray",
     "OpaqueArray", "Pending", "StringArray", "StructArray", "Values", "java", "sidl"});

static_assert(std::ranges::is_sorted(kC) && std::ranges::is_sorted(kCxx) &&
              std::ranges::is_sorted(kCHeaders) && std::ranges::is_sorted(kCArgument) &&
              std::ranges::is_sorted(kCxxMember) && std::ranges::is_sorted(kCTypes) &&
              std::ranges::is_sorted(kFortranHandle) && std::ranges::is_sorted(kFortranProcedure) &&
              std::ranges::is_sorted(kFortranModule) && std::ranges::is_sorted(kFortranImpl) &&
              std::ranges::is_sorted(kPython) && std::ranges::is_sorted(kPythonModule) &&
              std::ranges::is_sorted(kPythonLibrary) && std::ranges::is_sorted(kJava) &&
              std::ranges::is_sorted(kJavaMethod) && std::ranges::is_sorted(kJavaType));

std::span<const std::string_view> table(Words words) {
  switch (words) {
    case Words::c:
      return kC;
    case Words::cxx:
      return kCxx;
    case Words::c_headers:
      return kCHeaders;
    case Words::c_argument:
      return kCArgument;
    case Words::cxx_member:
      return kCxxMember;
    case Words::c_types:
      return kCTypes;
    case Words::c_macros:  // these in is_reserved()
    case Words::cxx_macros:
    case Words::cxx_functions:
    case Words::cxx_global:
      break;
    case Words::fortran_handle:
      return kFortranHandle;
    case Words::fortran_procedure:
      return kFortranProcedure;
    case Words::fortran_module:
      return kFortranModule;
    case Words::fortran_impl:
      return kFortranImpl;
    case Words::python:
      return kPython;
    case Words::python_module:
      return kPythonModule;
    case Words::python_library:
      return kPythonLibrary;
    case Words::java:
      return kJava;
    case Words::java_method:
      return kJavaMethod;
    case Words::java_type:
      return kJavaType;
  }
  return {};
}

using WordSet = std::unordered_set<std::string_view>;

WordSet words_of(std::string_view text) {
  WordSet words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size() - 1);
    if (end > 0) words.insert(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return words;
}

}  // namespace

bool is_reserved(Words words, std::string_view name) {
  switch (words) {
    case Words::c_macros: {
      static const WordSet macros = words_of(kMacrosOfC);
      return macros.contains(name) || is_reserved(Words::cxx_macros, name);
    }
    case Words::cxx_macros: {
      static const WordSet macros = words_of(kMacros);
      return macros.contains(name) || name.starts_with("SIDL_") || name.starts_with("included_");
    }
    case Words::cxx_functions: {
      static const WordSet functions = words_of(kFunctionMacros);
      return functions.contains(name);
    }
    case Words::cxx_global: {
      static const WordSet globals = words_of(kCxxGlobal);
      return globals.contains(name);
    }
    default:
      return std::ranges::binary_search(table(words), name);
  }
}

}  // namespace shinar::codegen
