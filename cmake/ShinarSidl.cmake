# sidl_add_library(): from .sidl files to a library, in one call. Found by find_package(Shinar).
#
#   sidl_add_library(<target> LANGUAGE c|cxx|fortran|f77|java|python [CLIENT | SERVER] SIDL <file>... [INCLUDE <file>...]
#                    [REPOSITORY <folder>...] [CLASSES <class>...] [IMPL_DIR <folder>] [HOOKS]
#                    [CLASSPATH <jar or target>...] [SHARED | STATIC | MODULE])
#
# CLIENT (the default)  what a caller in LANGUAGE needs: headers, and the types' tables
# SERVER                that, and the implementation: the Impl files that the user fills in
# INCLUDE               .sidl files whose types may be used; nothing is generated for them, link the
#                       library that was made from them: PUBLIC, as the headers made here name its
#                       own, or PRIVATE if nobody else includes these
# REPOSITORY            folders of compiled packages (sidlc --emit=ir), to be used like INCLUDE
# CLASSES               of a SERVER: the classes that it implements, by their whole names (shop.Till);
#                       default: all of the files. The others are implemented by other libraries,
#                       in whatever language: it can call them and extend them
# IMPL_DIR              where the Impl files live; default: the current source folder. They are
#                       written when they are missing and brought up to date when the .sidl
#                       changes; code between splicer marks is kept
# HOOKS                 of a SERVER: every method gets two functions that run before it and after it
#                       while somebody has switched them on (docs/contracts.md)
# SHARED                (the default) for programs that link it, and for `sidl serve`
# MODULE                loaded at run time only; nothing can link it
#
# Programs that link <target> get its include folders and the runtime, and keep the whole of it
# even when no symbol of theirs names it: classes are found by name at run time.
#
# A SERVER library also gets a catalogue, <target>.scl, beside it: put its folder on SIDL_DLL_PATH
# and the classes in it can be created by name. Target properties: SIDL_OUTPUT_DIR (generated
# files), SIDL_CATALOG (the .scl file).
#
# LANGUAGE python makes the Python package in the current binary folder, which belongs on
# Python's path; the target property SIDL_PYTHON_PATH is that folder and the one of Shinar's packages.
# Impl files of Python are linked into the package, not copied: what is edited is what runs. So are
# the modules beside them that the user wrote for them.
#
# LANGUAGE fortran makes modules in the folder that the target property SIDL_MODULE_DIR names; who links
# <target> finds them. A SERVER library must be SHARED or MODULE where the program's main is not
# Fortran's, or the program must be linked by the Fortran compiler.
#
# LANGUAGE f77 makes external subroutines for old codes, which call and do not implement: CLIENT only. Who
# links <target> finds its include files of constants and Shinar's.
#
# LANGUAGE java makes <target>.jar beside the library, in the current binary folder; the target
# properties SIDL_JAR and SIDL_CLASS_PATH are that file and all that belongs on the class path. Classes that
# the user put beside Impl files are compiled into it. CLASSPATH has other jars that they need, or targets
# made for Java.
#
# sidlc runs when CMake configures, and CMake configures again when a .sidl file or sidlc changes.
# The Impl files are deliberately no output of a build rule: `ninja clean` removes outputs.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/ShinarSidlInstall.cmake)  # sidl_install(), sidl_install_python()
include(${CMAKE_CURRENT_LIST_DIR}/ShinarSidlJava.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ShinarSidlCheck.cmake)  # what only the whole project can show

define_property(TARGET PROPERTY SIDL_OUTPUT_DIR BRIEF_DOCS "Folder of the files sidlc generated")
define_property(TARGET PROPERTY SIDL_CATALOG BRIEF_DOCS "Catalogue (.scl) of a server library")

function(sidl_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLIENT;SERVER;STATIC;SHARED;MODULE;HOOKS" "LANGUAGE;IMPL_DIR"
                        "SIDL;INCLUDE;REPOSITORY;CLASSES;CLASSPATH")
  _sidl_check_arguments()

  set(output_dir ${CMAKE_CURRENT_BINARY_DIR}/${target}.sidl)
  _sidl_generate(sources)

  add_library(${target} ${kind} ${sources})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET default
    CXX_VISIBILITY_PRESET default
    SIDL_OUTPUT_DIR ${output_dir}
    SIDL_LANGUAGE ${language}
    SIDL_FILES "${sidl_files}")
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${output_dir}>)
  target_compile_features(${target} PUBLIC c_std_11)
  if(language STREQUAL "cxx")
    target_compile_features(${target} PUBLIC cxx_std_17)
    target_link_libraries(${target} PUBLIC Shinar::sidl_cxx)
  elseif(language STREQUAL "fortran")
    _sidl_add_modules()
  elseif(language STREQUAL "f77")
    target_link_libraries(${target} PUBLIC Shinar::sidl_f77)
  elseif(language STREQUAL "java")
    _sidl_find_java()
    target_link_libraries(${target} PUBLIC Shinar::sidl_java)
    target_include_directories(${target} PRIVATE ${_jni_folders})
  elseif(language STREQUAL "python" AND arg_SERVER)
    target_link_libraries(${target} PUBLIC Shinar::sidl Shinar::sidl_python)
  else()
    target_link_libraries(${target} PUBLIC Shinar::sidl)
  endif()
  # A call within the library is a call, not a look-up: that is 2 ns of a 5 ns call.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:C,GNU>:-fno-semantic-interposition>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>
    $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-fno-semantic-interposition>)
  # The arguments of an implementation are those of the SIDL file, whether it needs them or not; there
  # is no place for a statement that uses them, as it may end with procedures of its own.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-Wno-unused-dummy-argument>)
  # An object's functions are called through pointers that know less of its type: callers, too, are
  # compiled without clang's check of that.
  target_compile_options(${target} PUBLIC
    $<$<COMPILE_LANG_AND_ID:C,Clang,AppleClang>:-fno-sanitize=function>
    $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-fno-sanitize=function>)
  # gcc 12, once it sees a method that always throws inlined into the skel, loses what the method
  # stored in its out and inout arguments before.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,11>>:-fno-ipa-modref>)
  if(NOT kind STREQUAL "STATIC")
    # Its tables and functions are in others' hands as soon as it is loaded: it stays.
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions LINKER:-z,nodelete)
  endif()
  if(arg_SERVER)
    target_include_directories(${target} PRIVATE ${impl_dir})
    _sidl_write_catalog()
  endif()
  _sidl_link_completely()
  _sidl_keep_whole()
  _sidl_check_later()
  if(language STREQUAL "python")
    _sidl_add_python_package()
  elseif(language STREQUAL "java")
    _sidl_add_jar()
  endif()
endfunction()

# ---- what follows is private; each macro reads the variables of sidl_add_library() --------------

macro(_sidl_check_arguments)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sidl_add_library(${target}): unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SIDL)
    message(FATAL_ERROR "sidl_add_library(${target}): there are no SIDL files")
  endif()
  if(arg_CLASSES AND NOT arg_SERVER)
    message(FATAL_ERROR "sidl_add_library(${target}): CLASSES lists the classes to implement, and "
                        "is only valid with SERVER")
  endif()
  if(arg_HOOKS AND NOT arg_SERVER)
    message(FATAL_ERROR "sidl_add_library(${target}): HOOKS belong to the implementation of a class, and "
                        "are only valid with SERVER")
  endif()
  if(arg_CLASSPATH AND NOT arg_LANGUAGE STREQUAL "java")
    message(FATAL_ERROR "sidl_add_library(${target}): CLASSPATH is for LANGUAGE java")
  endif()
  if(arg_CLIENT AND arg_SERVER)
    message(FATAL_ERROR "sidl_add_library(${target}): CLIENT and SERVER are mutually exclusive "
                        "(a SERVER library also contains what callers need)")
  endif()

  string(TOLOWER "${arg_LANGUAGE}" language)
  if(language STREQUAL "c++")
    set(language cxx)
  endif()
  if(NOT language MATCHES "^(c|cxx|fortran|f77|java|python)$")
    message(FATAL_ERROR "sidl_add_library(${target}): LANGUAGE is '${arg_LANGUAGE}'; it must be c, "
                        "cxx, fortran, f77, java or python")
  endif()
  get_property(_enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST _enabled)
    message(FATAL_ERROR "sidl_add_library(${target}): all languages need generated C code; write "
                        "project(... LANGUAGES C CXX)")
  endif()
  if(language MATCHES "^(fortran|f77)$")
    if(NOT "Fortran" IN_LIST _enabled)
      message(FATAL_ERROR "sidl_add_library(${target}): LANGUAGE ${language} needs project(... LANGUAGES "
                          "C Fortran)")
    endif()
    if(NOT TARGET Shinar::sidl_fortran)
      message(FATAL_ERROR "sidl_add_library(${target}): this Shinar was built without a Fortran compiler")
    endif()
  elseif(NOT language MATCHES "^(c|java)$" AND NOT "CXX" IN_LIST _enabled)
    message(FATAL_ERROR "sidl_add_library(${target}): LANGUAGE ${language} needs project(... LANGUAGES C "
                        "CXX)")
  endif()

  set(kind)
  foreach(_kind STATIC SHARED MODULE)
    if(arg_${_kind})
      list(APPEND kind ${_kind})
    endif()
  endforeach()
  list(LENGTH kind _kinds)
  if(_kinds GREATER 1)
    message(FATAL_ERROR "sidl_add_library(${target}): ${kind} are mutually exclusive")
  elseif(_kinds EQUAL 0)
    set(kind SHARED)
  endif()

  set(side client)
  if(arg_SERVER)
    set(side server)
  endif()
  set(impl_dir ${CMAKE_CURRENT_SOURCE_DIR})
  if(arg_IMPL_DIR)
    get_filename_component(impl_dir ${arg_IMPL_DIR} ABSOLUTE)
  endif()
  set(sidl_files)
  foreach(_file IN LISTS arg_SIDL)
    get_filename_component(_file ${_file} ABSOLUTE)
    list(APPEND sidl_files ${_file})
  endforeach()
  set(include_options)
  set(include_files)
  foreach(_file IN LISTS arg_INCLUDE)
    get_filename_component(_file ${_file} ABSOLUTE)
    list(APPEND include_files ${_file})
    list(APPEND include_options --include ${_file})
  endforeach()
  foreach(_folder IN LISTS arg_REPOSITORY)
    get_filename_component(_folder ${_folder} ABSOLUTE)
    file(GLOB _packages CONFIGURE_DEPENDS ${_folder}/*.sidlir)
    list(APPEND include_files ${_packages})
    list(APPEND include_options --repository-path=${_folder})
  endforeach()
endmacro()

# Runs sidlc; sets `result_variable` to the sources to compile.
macro(_sidl_generate result_variable)
  get_target_property(_sidlc Shinar::sidlc IMPORTED_LOCATION)
  if(NOT _sidlc)
    message(FATAL_ERROR "sidl_add_library(${target}): sidlc runs at configure time, before this project "
                        "has built its own: install Shinar and call find_package(Shinar), or set "
                        "SHINAR_SIDLC to a sidlc of the same version")
  endif()
  set(_command ${_sidlc} --${side}=${language} --output-dir ${output_dir} ${include_options})
  if(arg_SERVER)
    list(APPEND _command --impl-dir ${impl_dir})
    if(arg_HOOKS)
      list(APPEND _command --generate-hooks)
    endif()
    foreach(_class IN LISTS arg_CLASSES)
      list(APPEND _command --classes ${_class})
    endforeach()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${sidl_files} ${include_files} ${_sidlc})

  execute_process(COMMAND ${_command} ${sidl_files} RESULT_VARIABLE _status)
  if(NOT _status EQUAL 0)
    message(FATAL_ERROR "sidl_add_library(${target}): sidlc failed (${_status})")
  endif()
  execute_process(COMMAND ${_command} --list-outputs ${sidl_files}
                  OUTPUT_VARIABLE _outputs OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" outputs "${_outputs}")
  set(uses)
  if(arg_INCLUDE)
    execute_process(COMMAND ${_command} --list-uses ${sidl_files}
                    OUTPUT_VARIABLE uses OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" uses "${uses}")
  endif()
  set(${result_variable} ${outputs})
  list(FILTER ${result_variable} INCLUDE REGEX "\\.(c|cxx|f90)$")
  # Impl files in C++ include their skels.
  list(FILTER ${result_variable} EXCLUDE REGEX "_Skel\\.cxx$")
  if(language STREQUAL "python")
    # The library has the tables and the entries of classes; the modules stand on it.
    list(FILTER ${result_variable} EXCLUDE REGEX "\\.cxx$")
  endif()
  # Every table in C has the same names: a unity build of the user's leaves them apart.
  set(_in_c ${${result_variable}})
  list(FILTER _in_c INCLUDE REGEX "\\.c$")
  set_source_files_properties(${_in_c} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # Libraries made from one .sidl file have the same tables, of one name: the address sanitizer takes
  # that for a mistake (odr-violation), though the first of them is good for all.
  set(_tables ${_in_c})
  list(FILTER _tables INCLUDE REGEX "_IOR\\.c$")
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    set_property(SOURCE ${_tables} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=address)
  endif()
  # Where gfortran selects the rank of a pointer it multiplies the bounds in its descriptor, which are
  # anything until it is first associated; the product is used for nothing.
  set(_modules ${${result_variable}})
  list(FILTER _modules INCLUDE REGEX "\\.f90$")
  list(FILTER _modules EXCLUDE REGEX "_Impl\\.f90$")
  if(_modules AND CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    set_property(SOURCE ${_modules} APPEND PROPERTY COMPILE_OPTIONS
                 -fno-sanitize=signed-integer-overflow)
  endif()
endmacro()

# Modules lie in a folder of the library's own, so that those of two libraries do not meet.
macro(_sidl_add_modules)
  set_target_properties(${target} PROPERTIES
    Fortran_MODULE_DIRECTORY ${output_dir}/modules
    SIDL_MODULE_DIR ${output_dir}/modules)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${output_dir}/modules>)
  target_link_libraries(${target} PUBLIC Shinar::sidl_fortran)
  # CMake does not look at installed modules: what was compiled with those of another Shinar would not fit.
  get_target_property(_folders Shinar::sidl_fortran INTERFACE_INCLUDE_DIRECTORIES)
  set(_modules)
  foreach(_folder IN LISTS _folders)
    file(GLOB _found ${_folder}/*.mod)
    list(APPEND _modules ${_found})
  endforeach()
  set(_in_fortran ${sources})
  list(FILTER _in_fortran INCLUDE REGEX "\\.f90$")
  set_property(SOURCE ${_in_fortran} APPEND PROPERTY OBJECT_DEPENDS "${_modules}")
endmacro()

# The catalogue says which classes the library implements: those that have a skeleton.
macro(_sidl_write_catalog)
  set(_classes)
  foreach(_file IN LISTS outputs)
    if(_file MATCHES "([^/]+)_Skel\\.(c|cxx)$")
      string(REPLACE "_" "." _class ${CMAKE_MATCH_1})
      string(APPEND _classes "    <class name=\"${_class}\" desc=\"ior/impl\"/>\n")
    endif()
  endforeach()
  if(NOT kind STREQUAL "STATIC")
    file(GENERATE OUTPUT $<TARGET_FILE_DIR:${target}>/${target}.scl CONTENT
"<?xml version=\"1.0\"?>
<scl>
  <library uri=\"$<TARGET_FILE_NAME:${target}>\" scope=\"local\" resolution=\"now\">
${_classes}  </library>
</scl>
")
    set_target_properties(${target} PROPERTIES
      SIDL_CATALOG $<TARGET_FILE_DIR:${target}>/${target}.scl)
  endif()
endmacro()

# A symbol that is missing shows when the library is linked, not when a server loads it. (Under
# sanitizers some symbols come from the program.)
macro(_sidl_link_completely)
  if(NOT kind STREQUAL "STATIC" AND NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
endmacro()

# Keeps linkers (some default to --as-needed) from dropping what no symbol refers to.
macro(_sidl_keep_whole)
  if(kind STREQUAL "SHARED")
    target_link_options(${target} INTERFACE LINKER:--no-as-needed)
  elseif(kind STREQUAL "STATIC")
    # Roots for the linker, one for each type and each implementation. Libraries of several
    # languages made from one .sidl file may meet: what they share is then taken from the first.
    foreach(_file IN LISTS outputs)
      if(_file MATCHES "([^/]+)_IOR\\.c$")
        set(_type ${CMAKE_MATCH_1})
        string(REGEX REPLACE "\\.c$" ".h" _header ${_file})
        # The name of the table has the layout in it.
        file(STRINGS ${_header} _define REGEX "^#define ${_type}__info " LIMIT_COUNT 1)
        string(REGEX REPLACE ".* " "" _info "${_define}")
        target_link_options(${target} INTERFACE LINKER:--undefined=${_info})
      elseif(_file MATCHES "([^/]+)_Skel\\.(c|cxx)$")
        target_link_options(${target} INTERFACE LINKER:--undefined=${CMAKE_MATCH_1}__class)
      endif()
    endforeach()
    target_link_options(${target} INTERFACE "LINKER:--export-dynamic-symbol=*__class")
  endif()
endmacro()

# What the user wrote for the Impl files and put into their folders.
macro(_sidl_find_own_python)
  set(_folders)
  foreach(_file IN LISTS outputs)
    if(_file MATCHES "_Impl\\.py$")
      get_filename_component(_folder ${_file} DIRECTORY)
      list(APPEND _folders ${_folder}/*.py)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES _folders)
  file(GLOB _own CONFIGURE_DEPENDS ${_folders})
  foreach(_file IN LISTS _own)
    if(NOT _file MATCHES "_Impl\\.py$")
      list(APPEND outputs ${_file})
    endif()
  endforeach()
endmacro()

# Two targets that made the same files would be ninja's error, in ninja's words.
macro(_sidl_claim_python_package package)
  set(_claim SIDL_PYTHON_${CMAKE_CURRENT_BINARY_DIR}/${package})
  get_property(_owner GLOBAL PROPERTY ${_claim})
  if(_owner)
    message(FATAL_ERROR "sidl_add_library(${target}): the Python package ${package} is already generated by "
                        "${_owner}, in the same directory. A SERVER library also contains what callers need; "
                        "CLASSES lists the classes that Python implements. Use one library for all "
                        "of the package's .sidl files, or two in different directories (add_subdirectory)")
  endif()
  set_property(GLOBAL PROPERTY ${_claim} ${target})
endmacro()

# The extension modules, and the package they lie in, beside the library.
macro(_sidl_add_python_package)
  set(_modules)
  set(_python_files)
  if(arg_SERVER)
    _sidl_find_own_python()
  endif()
  add_custom_target(${target}_python ALL)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
  foreach(_file IN LISTS outputs)
    if(_file MATCHES "([^/]+)_(module|server)\\.cxx$")
      set(_top ${CMAKE_MATCH_1})
      string(REPLACE "module" "native" _name _${CMAKE_MATCH_2})
      set(_module ${target}_${_top}${_name})
      if(_name STREQUAL "_native")
        _sidl_claim_python_package(${_top})
      endif()
      Python3_add_library(${_module} MODULE WITH_SOABI ${_file})
      set_target_properties(${_module} PROPERTIES
        OUTPUT_NAME ${_name}
        CXX_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${_top})
      target_compile_features(${_module} PRIVATE cxx_std_17)
      target_link_libraries(${_module} PRIVATE ${target})
      # A part of the library as much as its tables: it is compiled with what these are compiled with,
      # what the user linked PRIVATE included. (Of other packages it needs no symbol.)
      foreach(_kind INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
        set_property(TARGET ${_module} APPEND PROPERTY
          ${_kind} $<TARGET_PROPERTY:${target},${_kind}>)
      endforeach()
      add_dependencies(${target}_python ${_module})
      list(APPEND _modules "${_top}|${_module}")
    elseif(_file MATCHES "\\.(py|pyi|typed)$")
      string(FIND "${_file}" "${output_dir}/" _at)
      if(_at EQUAL 0)
        file(RELATIVE_PATH _inside ${output_dir} ${_file})
      else()
        file(RELATIVE_PATH _inside ${impl_dir} ${_file})
      endif()
      list(APPEND _python_files "${_inside}|${_file}")
      get_filename_component(_folder ${CMAKE_CURRENT_BINARY_DIR}/${_inside} DIRECTORY)
      file(MAKE_DIRECTORY ${_folder})
      if(NOT _file STREQUAL "${CMAKE_CURRENT_BINARY_DIR}/${_inside}")
        file(CREATE_LINK ${_file} ${CMAKE_CURRENT_BINARY_DIR}/${_inside} SYMBOLIC)
      endif()
    endif()
  endforeach()
  get_target_property(_sidlc Shinar::sidlc IMPORTED_LOCATION)
  get_filename_component(_prefix ${_sidlc}/../.. ABSOLUTE)
  set_target_properties(${target} PROPERTIES
    SIDL_PYTHON_PATH "${CMAKE_CURRENT_BINARY_DIR}:${_prefix}/lib/shinar/python"
    SIDL_PYTHON_MODULES "${_modules}"
    SIDL_PYTHON_FILES "${_python_files}")
endmacro()
