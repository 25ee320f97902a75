# Two commands matter: `make run` and `make test`. `make help` lists the others.

SWIFT ?= swift
BUILD ?= .build
SWIFTFLAGS ?=
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
UNITDIR ?= $(PREFIX)/lib/systemd/user

package = --scratch-path $(BUILD) $(SWIFTFLAGS)
# Less in memory: relocations are packed (1 MiB), of the C++ library only what the Swift runtime uses is linked (1 MiB),
# and the functions that run are laid out side by side (contrib/link-order; 2 MiB). Of the linkers, lld can do that.
compact = -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -L$(abspath $(BUILD))/static
layout = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld $(compact) \
  -Xlinker --symbol-ordering-file=$(CURDIR)/contrib/themed.order -Xlinker --no-warn-symbol-ordering
release = $(SWIFT) build $(package) --configuration release --static-swift-stdlib $(layout)
python = $(BUILD)/python
generators = $(addprefix $(BUILD)/bench/,floor fan calls spawn start empty)
scripts = contrib/install-packages contrib/run contrib/demo contrib/link-order contrib/fuzz contrib/soak \
  contrib/test-trixie .ci/run .ci/manual .ci/linkage .ci/memory .ci/units

SECONDS ?= 60
CHANGES ?= 1000000
UNDER ?= address

.PHONY: help run build test test-trixie demo check fuzz soak lint bench bench-compare bench-plot install uninstall clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 20

run: ## Run the daemon on your session bus, or on a private one
	@contrib/install-packages run
	@$(MAKE) --no-print-directory build
	@contrib/run $(BUILD)/release/themed

build: $(BUILD)/static/ready ## Build themed and themectl for use
	$(release) --product themed
	$(release) --product themectl

test: ## Run every test, with real desktops that nobody sees
	@contrib/install-packages test
	@$(MAKE) --no-print-directory $(python)/ready
	THEMED_PYTHON=$(abspath $(python))/bin/python3 $(SWIFT) test $(package)

test-trixie: ## Test with the portal of Debian 13, in a chroot that is kept in BUILD (as root)
	@contrib/install-packages trixie
	@$(MAKE) --no-print-directory build
	$(release) --product fake-portal
	@contrib/test-trixie $(BUILD)

demo: ## Watch the whole story in half a minute, in any terminal
	@contrib/install-packages demo
	@$(MAKE) --no-print-directory build
	@contrib/demo $(BUILD)/release

check: lint build ## Check what tests do not: style, scripts, linkage, memory, units
	@contrib/install-packages check
	shellcheck $(scripts)
	.ci/manual
	$(SWIFT) build $(package) --product themed
	.ci/linkage $(BUILD)
	.ci/memory $(BUILD)/release
	.ci/units $(BUILD)/release

fuzz: ## Fuzz everything that reads what others send, SECONDS=60 for each target
	@contrib/install-packages run
	BUILD=$(BUILD) SWIFT=$(SWIFT) contrib/fuzz $(SECONDS)

soak: ## Change the state CHANGES=1000000 times among clients of all kinds, UNDER=address, valgrind or plain
	@contrib/install-packages soak
	BUILD=$(BUILD) SWIFT=$(SWIFT) contrib/soak $(CHANGES) $(UNDER)

lint: ## Check the style of the sources
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bench: ## Measure beside what a user would pick instead (QUICK=1: in seconds, to see that it works)
	@contrib/install-packages bench
	@$(MAKE) --no-print-directory build $(generators)
	python3 -B Tests/Bench/bench $(BUILD)

bench-compare: ## Compare two runs: OLD=before.json NEW=after.json
	@python3 -B Tests/Bench/report.py compare $(OLD) $(NEW)

bench-plot: ## Draw the last run's scaling curves, docs/bench.svg
	python3 -B Tests/Bench/report.py plot $(BUILD)/bench.json docs/bench.svg

# The load generators, and an empty program that is linked as the daemon is.
$(BUILD)/bench/empty: Tests/Bench/empty.swift $(BUILD)/static/ready
	@mkdir -p $(@D)
	swiftc -O -static-stdlib -use-ld=lld $(compact) -Xlinker --no-as-needed $< -o $@ \
	  $$(pkg-config --libs glib-2.0 dbus-1)

$(BUILD)/bench/%: Tests/Bench/%.c Tests/Bench/common.h
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra $$(pkg-config --cflags dbus-1) $< -o $@ $$(pkg-config --libs dbus-1)

install: ## Install to PREFIX: programs, manual, completions, systemd user units
	install -D -m 755 $(BUILD)/release/themed $(DESTDIR)$(BINDIR)/themed
	install -D -m 755 $(BUILD)/release/themectl $(DESTDIR)$(BINDIR)/themectl
	install -D -m 644 docs/themed.1 $(DESTDIR)$(MANDIR)/man1/themed.1
	install -D -m 644 docs/themectl.1 $(DESTDIR)$(MANDIR)/man1/themectl.1
	install -D -m 644 docs/themed.conf.5 $(DESTDIR)$(MANDIR)/man5/themed.conf.5
	install -D -m 644 docs/themed.theme.5 $(DESTDIR)$(MANDIR)/man5/themed.theme.5
	install -D -m 644 docs/org.themed.theme.7 $(DESTDIR)$(MANDIR)/man7/org.themed.theme.7
	for shell in bash zsh fish; do \
	  $(BUILD)/release/themectl --generate-completion-script $$shell > $(BUILD)/completion.$$shell || exit 1; \
	done
	install -D -m 644 $(BUILD)/completion.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/themectl
	install -D -m 644 $(BUILD)/completion.zsh $(DESTDIR)$(DATADIR)/zsh/site-functions/_themectl
	install -D -m 644 $(BUILD)/completion.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/themectl.fish
	install -D -m 644 systemd/themed.socket $(DESTDIR)$(UNITDIR)/themed.socket
	sed 's|=/usr/bin/|=$(BINDIR)/|' systemd/themed.service > $(BUILD)/themed.service
	install -D -m 644 $(BUILD)/themed.service $(DESTDIR)$(UNITDIR)/themed.service

uninstall: ## Remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/themed $(DESTDIR)$(BINDIR)/themectl
	rm -f $(DESTDIR)$(MANDIR)/man1/themed.1 $(DESTDIR)$(MANDIR)/man1/themectl.1
	rm -f $(DESTDIR)$(MANDIR)/man5/themed.conf.5 $(DESTDIR)$(MANDIR)/man5/themed.theme.5
	rm -f $(DESTDIR)$(MANDIR)/man7/org.themed.theme.7
	rm -f $(DESTDIR)$(DATADIR)/bash-completion/completions/themectl
	rm -f $(DESTDIR)$(DATADIR)/zsh/site-functions/_themectl
	rm -f $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/themectl.fish
	rm -f $(DESTDIR)$(UNITDIR)/themed.socket $(DESTDIR)$(UNITDIR)/themed.service

clean: ## Remove everything that was made
	rm -rf $(BUILD)

# The linker looks here first: it finds the C++ library as an archive alone, or goes on to the shared one.
$(BUILD)/static/ready:
	@mkdir -p $(@D)
	archive=$$($(CC) -print-file-name=libstdc++.a); [ ! -e "$$archive" ] || ln -sf "$$archive" $(@D)/
	@touch $@

# A Python with another project's Varlink client, for the tests. Made once.
$(python)/ready:
	python3 -m venv $(python)
	$(python)/bin/pip install --quiet --disable-pip-version-check varlink==31.0.0
	@touch $@
