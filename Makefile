# One command per need. `make run` and `make test` are all a new user has to know.
NODE_MODULES = node_modules/.package-lock.json
CONFIG ?= examples/langgraph.json

.PHONY: run test build check bench clean

run: build
	node dist/src/main.js serve --config $(CONFIG)

test: build
	npm test

build: $(NODE_MODULES)
	npm run --silent build

check: build
	npm run --silent check

bench: build
	npm run --silent bench -- $(BENCH)

$(NODE_MODULES): package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $(NODE_MODULES)

clean:
	rm -rf dist .tap
