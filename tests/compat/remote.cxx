// A server and its client in one program, in C++, as they were written in 2010.
#include <pthread.h>
#include <iostream>
#include <string>
#include "mesh.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_ServerRegistry.hxx"
#include "sidlx_rmi_SimpleOrb.hxx"

using namespace std;
using namespace sidl::rmi;

static int serve() {
  ProtocolFactory::addProtocol("simhandle", "sidlx.rmi.SimHandle");
  sidlx::rmi::SimpleOrb orb = sidlx::rmi::SimpleOrb::_create();
  if (!orb.requestLocalPort(0)) return 1;
  ServerRegistry::registerServer(orb);
  pthread_t server = (pthread_t)orb.run();
  mesh::Grid grid = mesh::Grid::_create();
  grid.resize(2, 2);
  string id = InstanceRegistry::registerInstance(grid);
  string url = grid._getURL();
  mesh::Grid found = ::babel_cast<mesh::Grid>(InstanceRegistry::getInstance(id));
  bool ok = found._not_nil() && found.isSame(grid) && url.find("simhandle://") == 0;
  mesh::Grid same = mesh::Grid::_connect(url);  // one's own
  ok = ok && same._isLocal() && same.isSame(grid);
  orb.shutdown();
  ok = ok && pthread_join(server, NULL) == 0;
  return ok ? 0 : 1;
}

static int call(const string& server) {
  mesh::Grid grid = mesh::Grid::_create(server);
  mesh::Grid again = mesh::Grid::_connect(grid._getURL());
  mesh::Grid counted = mesh::Grid::_connect(grid._getURL(), true);
  grid.resize(2, 2);
  bool ok = grid._isRemote() && !grid._isLocal() && again.isSame(grid) && counted.isSame(grid);
  sidl::array<double> values = grid.values();
  ok = ok && values.dimen() == 2;
  mesh::Field field = grid;
  ok = ok && field.label() == again.label();
  try {
    grid.fail(1);
    ok = false;
  } catch (sidl::BaseException& error) {  // mesh::MeshError is implemented there alone
    error.add(__FILE__, __LINE__, "call");
  }
  try {
    mesh::Grid::_create("simhandle://127.0.0.1:1");
    ok = false;
  } catch (sidl::RuntimeException& ex) {
    NetworkException network = ::babel_cast<NetworkException>(ex);
    ok = ok && network._not_nil() && network.getErrno() != 0;
  }
  return ok ? 0 : 1;
}

int main(int argc, char** argv) {
  int status = argc > 1 ? call(argv[1]) : serve();
  cout << (status == 0 ? "ok" : "not ok") << endl;
  return status;
}
