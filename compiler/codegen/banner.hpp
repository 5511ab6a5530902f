// In: what a generated file is about.
// Out: its first lines: name, SIDL symbol, source file, and what may be edited in it.
#pragma once

#include <string>

#include "codegen/printer.hpp"
#include "codegen/type_index.hpp"

namespace shinar::codegen {

enum class Editing { none, splicers };

struct Banner {
  std::string file;    // "demo_Solver_IOR.h"
  std::string symbol;  // "class demo.Solver 1.0"
  std::string source;  // "solver.sidl"
  std::string about;   // one line: what the file is for
  Editing editing = Editing::none;
};

// "class demo.Solver 1.0"
std::string symbol_line(const ir::Type& type);

Banner type_banner(const TypeIndex& index, const ir::Type& type, std::string file,
                   std::string about);

void emit_banner(Printer& printer, const Banner& banner);

}  // namespace shinar::codegen
