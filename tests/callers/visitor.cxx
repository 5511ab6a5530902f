// Says whom an object sees as its caller: visitor here|URL question [URL of another server].
// Objects that are made here are those of SIDL_DLL_PATH.
#include <iostream>
#include <string>

#include "desk.hxx"

namespace {

using desk::Desk;

std::string noted_one_way(Desk& desk) {
  desk.note();
  return desk.noted();
}

std::string asked_in_halves(Desk& desk) {
  sidl::rmi::Ticket ticket = desk.whoCalls_send();
  return desk.whoCalls_recv(ticket);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string place = argv[1], question = argv[2];
  try {
    Desk desk = place == "here" ? Desk::_create() : Desk::_create(place);
    std::string said;
    if (question == "call") said = desk.whoCalls();
    if (question == "halves") said = asked_in_halves(desk);
    if (question == "oneway") said = noted_one_way(desk);
    if (question == "constructor") said = desk.noted();
    if (question == "within") said = desk.within();
    if (question == "thread") said = desk.hired();
    if (question == "third" && argc > 3) {
      Desk third = Desk::_create(argv[3]);
      said = third.whoCalls() + "\n" + desk.ask(third);
    }
    if (question == "back") said = desk.ask(Desk::_create());
    std::cout << said << "\n";
  } catch (sidl::BaseException& error) {
    std::cerr << error.getNote() << "\n";
    return 1;
  }
}
