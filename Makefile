# One command per need. `make run` and `make test` are all a new user has to know.
NODE_MODULES = node_modules/.package-lock.json
CONFIG ?= examples/langgraph.json
# Seconds that each file of a long form may take.
LONG_S = 7200
# The supported versions of Node besides the one that is installed.
OTHER_NODES = $(filter-out $(shell node --print 'parseInt(process.versions.node)'),20 22 24 26)
NODE_PACKAGE := node-$(shell node --print 'process.platform + "-" + process.arch')
NODE_20 = 20.20.2
NODE_22 = 22.23.3
NODE_24 = 24.21.0
NODE_26 = 26.10.0

.PHONY: run test verify verify-cluster browser faketime postgres haproxy python faults simulation fuzz build check format bench console soak binary deb package clean

run: build
	node dist/src/main.js serve --config $(CONFIG)

# Every behavior, in a few minutes.
test: build browser
	npm test

# The long suites: faults, fuzzing, simulation, packages, documented commands, the Python clients, and some tests with
# other Node versions.
verify: build browser faketime postgres haproxy python $(OTHER_NODES:%=dist/node-%)
	OTHER_NODES="$(OTHER_NODES:%=dist/node-%/node_modules/$(NODE_PACKAGE)/bin/node)" npm run --silent verify

# Nodes of a cluster and its database are killed, stopped and cut off while clients write. ROUNDS=20 SEED=7: how often,
# and from what seed. Then the suites of a single server run with three nodes. Partitions need root.
verify-cluster: build browser postgres
	CLUSTER_ROUNDS=$(or $(ROUNDS),500) CLUSTER_SEED=$(or $(SEED),1) npm test -- --timeout=$(LONG_S) --test-arg=dist/test/cluster/takeovers
	npm test -- --timeout=$(LONG_S) --test-arg=three-nodes

dist/node-%:
	npm install --silent --prefix $@ --no-save $(NODE_PACKAGE)@$(NODE_$*)

# The console's tests use Debian's Chromium, without windows or with.
browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null \
	  || { apt-get update -q && apt-get install -y -q chromium-headless-shell fonts-dejavu-core; } \
	  || { echo 'The tests of the console need Chromium: apt-get install chromium-headless-shell, as root.' >&2; exit 1; }

# The tests of clocks that jump use Debian's libfaketime.
faketime:
	@ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || { apt-get update -q && apt-get install -y -q faketime; } \
	  || { echo 'The tests of clocks need libfaketime: apt-get install faketime, as root.' >&2; exit 1; }

# The tests of clusters start PostgreSQL themselves, so Debian's own server is not set up.
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 \
	  || { mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >> /etc/postgresql-common/createcluster.conf \
	    && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o Dpkg::Options::=--force-confold postgresql; } \
	  || { echo 'The tests of clusters need PostgreSQL 15 or newer: apt-get install postgresql, as root.' >&2; exit 1; }

# The load balancer of packaging/cluster/compose.yaml.
haproxy:
	@command -v haproxy >/dev/null || { apt-get update -q && apt-get install -y -q haproxy; } \
	  || { echo 'The test of the compose file needs HAProxy: apt-get install haproxy, as root.' >&2; exit 1; }

# The tests of the Python clients use Debian's Python with pip.
python:
	@python3 -m pip --version >/dev/null 2>&1 || { apt-get update -q && apt-get install -y -q python3 python3-pip; } \
	  || { echo 'The tests of the Python clients need Python with pip: apt-get install python3 python3-pip, as root.' >&2; exit 1; }

# The long form of the fault suites: killed after every commit. ROUNDS=20 SEED=7: at so many drawn points of each scenario.
faults: build
	FAULT_ROUNDS=$(or $(ROUNDS),all) FAULT_SEED=$(or $(SEED),1) npm test -- --timeout=$(LONG_S) --test-arg=dist/test/faults/

# Scheduler, store and streams in an order that a seed gives. A failure names its seed: make simulation SEED=17 ROUNDS=1.
simulation: build
	SIMULATION_ROUNDS=$(or $(ROUNDS),2000) SIMULATION_SEED=$(or $(SEED),1) ADMISSION_DEPTH=$(or $(DEPTH),3) npm test -- --timeout=$(LONG_S) --test-arg=dist/test/simulation/

# The long form of the fuzzer. ROUNDS=10 SEED=7: how often it goes through all routes, and what it draws.
fuzz: build
	FUZZ_ROUNDS=$(or $(ROUNDS),10) FUZZ_SEED=$(or $(SEED),1) node --enable-source-maps dist/test/fuzz/fuzz.test.js

build: $(NODE_MODULES)
	npm run --silent build

check: build
	npm run --silent check

# Formats every source file in place; `make check` fails on one that is not formatted.
format: $(NODE_MODULES)
	npm run --silent format

bench: build browser postgres dist/node-24
	NEWEST_NODE=dist/node-24/node_modules/$(NODE_PACKAGE)/bin/node npm run --silent bench -- $(BENCH)

# Builds the console again at each change of its sources.
console: $(NODE_MODULES)
	npm run --silent console

# Everything at once for a while: nothing may grow. MINUTES=120; RUNS=1000000 goes on until so many short runs are done, too.
soak: build
	SOAK_MINUTES=$(MINUTES) SOAK_RUNS=$(RUNS) node --enable-source-maps dist/bench/soak.js

# Everything in one file that needs no Node: dist/threadmill-linux-x64. It contains Node 22.
binary: build dist/node-22
	dist/node-22/node_modules/$(NODE_PACKAGE)/bin/node dist/packaging/build.js

# The same as a Debian package: dist/threadmill_<version>_amd64.deb.
deb: binary
	npm run --silent deb

# The npm package: dist/threadmill-<version>.tgz.
package: $(NODE_MODULES)
	npm run --silent package

$(NODE_MODULES): package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $(NODE_MODULES)

clean:
	rm -rf dist .tap
