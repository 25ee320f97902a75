# Two commands matter: `make run` and `make test`. `make help` lists the others.

SWIFT ?= swift
BUILD ?= .build
SWIFTFLAGS ?=

# Where `make install` puts files: the GNU directories, each of which you can set. DESTDIR is put before all of them.
# Shells other than bash do not expand `~` here, so make does.
PREFIX ?= /usr/local
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
docdir = $(datarootdir)/doc/themed
sysconfdir = $(if $(filter /usr,$(prefix)),/etc,$(prefix)/etc)
# systemd's own directory, moved below PREFIX. For an installation in a home directory, user managers and desktops look
# in other places.
home = $(if $(filter-out /,$(HOME)),$(findstring |$(HOME:/=)/,|$(prefix)/))
unitdir = $(if $(home),$(datadir)/systemd/user,$(or $(shell pkg-config --define-variable=prefix=$(prefix) \
  --variable=systemduserunitdir systemd 2> /dev/null),$(prefix)/lib/systemd/user))
autostartdir = $(if $(home),$(HOME)/.config/autostart,$(sysconfdir)/xdg/autostart)
bashdir = $(datadir)/bash-completion/completions
zshdir = $(datadir)/zsh/site-functions
fishdir = $(datadir)/fish/vendor_completions.d

# The path of the clone may have spaces, but the name of BUILD may not.
build = $(if $(filter /%,$(BUILD)),$(BUILD),$(CURDIR)/$(BUILD))
package = --scratch-path $(BUILD) $(SWIFTFLAGS)
# The Swift runtime is linked in, so that users need no Swift. lld packs the relocations, a megabyte in each program, and
# exports no symbols, which nothing looks up.
linker = -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
release = $(SWIFT) build $(package) --configuration release --static-swift-stdlib --disable-local-rpath $(linker)
# What the installed themed is by other names: the Swift runtime, most of each program, lies on the disk once.
names = themed-apply themed-portal
python = $(BUILD)/python
generators = $(addprefix $(BUILD)/bench/,floor fan calls spawn start empty)
scripts = contrib/install-packages contrib/real-vim contrib/test contrib/test-missing contrib/test-often contrib/desktop contrib/run contrib/demo contrib/fuzz contrib/corpus contrib/soak contrib/cost \
  contrib/test-trixie contrib/test-apps contrib/test-install contrib/make-chroot contrib/deb \
  contrib/debian/themed.postinst contrib/debian/themed.prerm \
  contrib/docs contrib/symbols contrib/screenshot contrib/dist Tests/Scripts/sweep docs/examples/follow.sh share/bash/themed.plugin.bash \
  .ci/run .ci/anywhere .ci/try-run .ci/manual .ci/text .ci/linkage .ci/memory .ci/units .ci/deb \
  .ci/api .ci/foreign .ci/dist

SECONDS ?= 60
CHANGES ?= 1000000
UNDER ?= address
MINUTES ?= 30
ONLY ?=
RUNS ?= 50
LANES ?=
PRODUCTS ?= debug

.PHONY: help run build test test-missing test-often test-trixie test-programs test-portal test-apps test-install demo check fuzz corpus goldens interface mutants soak attack cost lint bench bench-compare bench-plot \
  docs screenshot install uninstall files dist deb deb-source clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 20

run: ## Run the daemon on your session bus, or on a private one
	@contrib/install-packages run
	@$(MAKE) --no-print-directory build
	@contrib/run $(BUILD)/release/themed

build: ## Build themed and themectl for use
	@[ -e $(BUILD)/release/themectl ] || echo 'Building themed and themectl. The first build takes a few minutes.'
	$(release) --product themed
	@for name in $(names); do ln -sf themed $(BUILD)/release/$$name; done
	$(release) --product themectl
	@mkdir -p $(BUILD)/completion
	@for shell in bash zsh fish; do \
	  $(BUILD)/release/themectl --generate-completion-script $$shell > $(BUILD)/completion/$$shell || exit 1; \
	done

test: ## Run every test, on invisible real desktops (PRODUCTS=release: with the release build; ONLY=regex)
	@BUILD=$(BUILD) contrib/install-packages test
	@$(MAKE) --no-print-directory $(python)/ready
ifeq ($(PRODUCTS),release)
	@$(MAKE) --no-print-directory build
endif
	@setpriv --pdeathsig KILL contrib/test "$(build)" "$(PRODUCTS)" "$(ONLY)" $(SWIFT) test $(package)

test-missing: ## Run the stories without each package that they use, then with all and with none (as root; ONLY='xvfb few')
	@BUILD=$(BUILD) contrib/install-packages test
	@$(MAKE) --no-print-directory $(python)/ready
	$(SWIFT) build $(package) --build-tests
	@contrib/test-missing $(BUILD) $(ONLY)

test-often: ## Run the suite RUNS times, on all processors at once, to find flaky tests (RUNS=50: two hours)
	@BUILD=$(BUILD) contrib/install-packages test
	@$(MAKE) --no-print-directory $(python)/ready
	@$(MAKE) --no-print-directory build
	$(SWIFT) build --scratch-path $(BUILD)/opt $(SWIFTFLAGS) --configuration release -Xswiftc -enable-testing --build-tests
	@setpriv --pdeathsig KILL contrib/test-often "$(build)" $(RUNS) $(LANES)

test-trixie: ## Test with the portal of Debian 13, in a chroot in BUILD (as root)
	@contrib/install-packages test-trixie
	@$(MAKE) --no-print-directory build
	$(release) --product themed-fake-portal
	@contrib/test-trixie $(BUILD)

test-install: ## Install, use and remove the Debian package in a fresh Debian 12 and Debian 13 (as root)
	@contrib/install-packages test-install
	@$(MAKE) --no-print-directory deb
	@contrib/test-install $(BUILD)

PROGRAMS = TerminalAppStories|DesktopAppStories|CommandAppStories|SignalStories|AskerStories|[.]EditorStories|EmacsStories
MANY_PROGRAMS = |ManyProgramsStories
test-programs: ## Test with real programs of this Debian: those with app files and plugins, and some that ask the portal
	@BUILD=$(BUILD) contrib/install-packages apps
	@BUILD=$(BUILD) contrib/install-packages askers
	@THEMED_TRY_PROGRAMS=1 THEMED_ASKERS="$(build)/askers" $(MAKE) --no-print-directory test ONLY='$(PROGRAMS)$(MANY_PROGRAMS)'

test-portal: ## Test themed-portal at length: 1,000 changes, and 100 restarts in different orders (an hour)
	@THEMED_PORTAL_CHANGES=1000 THEMED_PORTAL_RESTARTS=100 THEMED_PORTAL_SILENCE=20 THEMED_PORTAL_STARTS=10 \
	  THEMED_PORTAL_LOG="$(build)/portal-changes.log" $(MAKE) --no-print-directory test \
	  ONLY='PortalBackendTrials|PortalStartTrials'

test-apps: ## Try the shipped app files with the programs of Debian 13, in a chroot in BUILD (as root; ONLY='kitty signals:kitty')
	@contrib/install-packages test-trixie
	@$(MAKE) --no-print-directory build
	@contrib/test-apps $(BUILD) $(ONLY)

demo: ## Build themed and watch it at work for half a minute, in any terminal
	@BUILD=$(BUILD) contrib/install-packages demo
	@$(MAKE) --no-print-directory build
	@BUILD=$(BUILD) contrib/demo $(BUILD)/release

check: lint build ## Check what tests do not check: style, scripts, links, spelling, linkage, memory, units, the Debian package, the source archive
	@BUILD=$(BUILD) contrib/install-packages check
	shellcheck $(scripts)
	.ci/manual
	.ci/links
	.ci/language
	git ls-files -z Makefile '*.md' docs Sources share Tests/Goldens systemd contrib .ci | \
	  xargs -0 codespell --ignore-words .ci/words --skip '*.png,*.svg'
	contrib/mutants --look
	$(SWIFT) build $(package) --product themed
	$(SWIFT) build $(package) --product themed-portal
	$(SWIFT) build $(package) --product themectl
	$(SWIFT) build $(package) --product themed-apply
	$(SWIFT) build $(package) --target ThemeClient
	.ci/text $(BUILD)
	.ci/linkage $(BUILD)
	.ci/memory $(BUILD)/release
	.ci/units $(BUILD)/release
	.ci/deb $(BUILD)
	SWIFT=$(SWIFT) .ci/dist $(BUILD)
	SWIFT=$(SWIFT) .ci/api $(BUILD)
	SWIFT=$(SWIFT) .ci/foreign $(BUILD)
	@$(MAKE) --no-print-directory docs

cost: ## Count the daemon's instructions while a stranger sends one, two and four times as much
	@contrib/install-packages soak
	$(SWIFT) build $(package) --product themed
	$(SWIFT) build $(package) --product themectl
	$(SWIFT) build $(package) --product themed-fake-portal
	BUILD=$(BUILD) contrib/cost

fuzz: ## Fuzz every reader of foreign input, SECONDS=60 for each target
	@contrib/install-packages run
	BUILD=$(BUILD) SWIFT=$(SWIFT) contrib/fuzz $(SECONDS)

corpus: ## Add the smallest set of inputs from make fuzz that covers the same code to Tests/Fuzz/corpus.tar.gz
	BUILD=$(BUILD) SWIFT=$(SWIFT) MINIMIZE=1 contrib/fuzz

goldens: ## Update Tests/Goldens with the output of the command; read the difference
	THEMED_WRITE_GOLDENS=1 $(SWIFT) test $(package) --filter GoldenStories

interface: ## Update the frozen copy of the interface and its manual page: before a release, or with what it adds
	THEMED_WRITE_INTERFACE=1 THEMED_WRITE_MANUAL=1 $(SWIFT) test $(package) --filter ThemeInterfaceTests

mutants: ## Plant known bugs in a copy, one by one; the test named for each has to catch it (half an hour)
	@BUILD=$(BUILD) contrib/install-packages test
	@$(MAKE) --no-print-directory $(python)/ready
	BUILD=$(BUILD) SWIFT=$(SWIFT) SWIFTFLAGS="$(SWIFTFLAGS)" contrib/mutants $(ONLY)

soak: ## Change the state CHANGES=1000000 times with clients of all kinds, UNDER=address, valgrind or plain
	@contrib/install-packages soak
	BUILD=$(BUILD) SWIFT=$(SWIFT) contrib/soak $(CHANGES) $(UNDER)

attack: ## Run all attacks on the release build in turns for MINUTES=30 (ONLY=words: those whose description has them)
	@BUILD=$(BUILD) contrib/install-packages test
	@$(MAKE) --no-print-directory build
	$(release) --product themed-fake-portal
	$(release) --product themed-attacker
	THEMED_ATTACK_MINUTES=$(MINUTES) THEMED_ATTACK_ONLY="$(ONLY)" THEMED_PRODUCTS="$(build)/release" \
	  $(SWIFT) test $(package) --filter AttackTests

docs: ## Build the documentation of ThemeClient, BUILD/ThemeClient.doccarchive; warnings are errors
	SWIFT=$(SWIFT) contrib/docs $(BUILD)

screenshot: ## Take the pictures docs/themes.png (themectl theme list) and docs/programs.png (six programs in light and dark)
	@contrib/install-packages screenshot
	@BUILD=$(BUILD) contrib/install-packages bench
	@BUILD=$(BUILD) contrib/install-packages apps
	@$(MAKE) --no-print-directory build
	contrib/screenshot $(BUILD)/release docs/themes.png
	contrib/picture $(BUILD) docs/programs.png

lint: ## Check the style of the sources
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bench: ## Measure beside the alternatives (QUICK=1: in seconds, to see that it works)
	@BUILD=$(BUILD) contrib/install-packages bench
	@[ -n "$(filter-out 0,$(QUICK))" ] || BUILD=$(BUILD) contrib/install-packages apps
	@$(MAKE) --no-print-directory build $(generators)
	python3 -B Tests/Bench/bench $(BUILD)

bench-compare: ## Compare two runs of make bench: OLD=before.json NEW=after.json
	@python3 -B Tests/Bench/report.py compare $(OLD) $(NEW)

bench-plot: ## Plot the last run to docs/bench.svg, and copy its figures to docs/bench.json
	python3 -B Tests/Bench/report.py plot $(BUILD)/bench.json docs/bench.svg
	cp $(BUILD)/bench.json docs/bench.json

# The load generators, and an empty program that is linked to what the daemon is linked to, as swiftc does it.
$(BUILD)/bench/empty: Tests/Bench/empty.swift
	@mkdir -p $(@D)
	swiftc -O -static-stdlib $(subst -Xswiftc ,,$(linker)) -Xlinker --no-as-needed $< -o $@ \
	  $$(pkg-config --libs glib-2.0 dbus-1)

$(BUILD)/bench/%: Tests/Bench/%.c Tests/Bench/common.h
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra $$(pkg-config --cflags dbus-1) $< -o $@ $$(pkg-config --libs dbus-1)

examples = $(sort $(wildcard docs/examples/*))
themes = $(sort $(wildcard contrib/data/themed/themes/*.theme))
apps = $(sort $(wildcard share/apps/*.app))
templates = $(sort $(wildcard share/templates/*.mustache))
# Plugins: a directory for each program, in the layout that its plugin managers expect.
plugins = $(sort $(shell find share -mindepth 2 -type f ! -path 'share/apps/*' ! -path 'share/templates/*'))
define newline


endef
# The installed files: mode, source and destination, or link, target and destination. uninstall removes exactly these.
define installed
755 $(BUILD)/release/themed $(bindir)/themed
755 $(BUILD)/release/themectl $(bindir)/themectl
644 docs/themed.1 $(mandir)/man1/themed.1
644 docs/themectl.1 $(mandir)/man1/themectl.1
644 docs/themed-apply.1 $(mandir)/man1/themed-apply.1
644 docs/themed-portal.1 $(mandir)/man1/themed-portal.1
644 docs/themed.conf.5 $(mandir)/man5/themed.conf.5
644 docs/themed.theme.5 $(mandir)/man5/themed.theme.5
644 docs/themed.app.5 $(mandir)/man5/themed.app.5
644 docs/themed-programs.7 $(mandir)/man7/themed-programs.7
644 docs/org.themed.theme.7 $(mandir)/man7/org.themed.theme.7
644 $(BUILD)/completion/bash $(bashdir)/themectl
644 $(BUILD)/completion/zsh $(zshdir)/_themectl
644 $(BUILD)/completion/fish $(fishdir)/themectl.fish
644 systemd/themed.socket $(unitdir)/themed.socket
644 systemd/themed-readonly.socket $(unitdir)/themed-readonly.socket
644 systemd/themed.service $(unitdir)/themed.service
644 systemd/themed-share@.service $(unitdir)/themed-share@.service
644 systemd/themed-apply.service $(unitdir)/themed-apply.service
644 systemd/themed-portal.service $(unitdir)/themed-portal.service
644 contrib/data/xdg-desktop-portal/aaa-themed.portal $(datadir)/xdg-desktop-portal/portals/aaa-themed.portal
644 systemd/themed-strict.conf $(datadir)/themed/themed-strict.conf
644 contrib/themed.desktop $(autostartdir)/themed.desktop\
$(foreach example,$(examples),$(newline)644 $(example) $(docdir)/examples/$(notdir $(example)))\
$(foreach theme,$(themes),$(newline)644 $(theme) $(datadir)/themed/themes/$(notdir $(theme)))\
$(foreach app,$(apps),$(newline)644 $(app) $(datadir)/themed/apps/$(notdir $(app)))\
$(foreach template,$(templates),$(newline)644 $(template) $(datadir)/themed/templates/$(notdir $(template)))\
$(foreach name,$(names),$(newline)link themed $(bindir)/$(name))\
$(foreach plugin,$(plugins),$(newline)644 $(plugin) $(patsubst share/%,$(datadir)/themed/%,$(plugin)))
endef
export installed

# An installation in a home directory puts themes beside the user's own, and must not overwrite one of the same name.
own = own() { case '$(home)':$$1 in :*) return 1 ;; *.theme) [ -e "$$2" ] && ! cmp -s "$$1" "$$2" ;; *) return 1 ;; esac; }; own

install: ## Install the build to PREFIX: programs, manual pages, completions, systemd user units
	@case '$(prefix)' in /*) ;; *) echo "PREFIX has to begin with /, and is '$(prefix)'." >&2; exit 1 ;; esac
	@printf '%s\n' "$$installed" | while read -r mode from to; do \
	  case $$mode in link) ln -sf "$$from" "$(DESTDIR)$$to" && echo "$(DESTDIR)$$to" || exit 1; continue ;; esac; \
	  test -r "$$from" || { echo "$$from is missing: run 'make build' first." >&2; exit 1; }; \
	    if $(own) "$$from" "$(DESTDIR)$$to"; then echo "$(DESTDIR)$$to: kept, since it is a theme of your own"; continue; fi; \
	  case $$from in \
	    systemd/* | *.desktop) sed 's|/usr/bin/|$(bindir)/|g; s|/usr/share/|$(datadir)/|g' "$$from" ;; \
	    share/*) sed 's|/usr/share/themed/|$(datadir)/themed/|g' "$$from" ;; \
	    */bash) sed -e '1{/^#!/d}' -e 's/^complete -o filenames /complete /' \
	      -e 's/^\( *\)\(__themectl_add_completions -\([df]\|o plusdirs\)\)/\1compopt -o filenames; \2/' "$$from" ;; \
	    */fish) sed '/^complete /s/(commandline -t)/(commandline -t | string unescape)/g' "$$from" ;; \
	    *) cat "$$from" ;; \
	  esac | install -D -m "$$mode" /dev/stdin "$(DESTDIR)$$to" && echo "$(DESTDIR)$$to" || exit 1; \
	done

uninstall: ## Remove what install has installed
	@printf '%s\n' "$$installed" | while read -r _ from to; do \
	    if $(own) "$$from" "$(DESTDIR)$$to"; then echo "$(DESTDIR)$$to: kept, since it is a theme of your own"; continue; fi; \
	  rm -f -v "$(DESTDIR)$$to" || exit 1; \
	done
	@find "$(DESTDIR)$(datadir)/themed" -depth -type d -empty -delete 2> /dev/null || true
	@rmdir "$(DESTDIR)$(docdir)/examples" "$(DESTDIR)$(docdir)" 2> /dev/null || true

files: ## List what install installs: mode, source, destination
	@printf '%s\n' "$$installed" | sed 's/ *$$//'

dist: ## Create BUILD/dist/themed-VERSION.tar.gz from the last commit, which builds without network access
	@mkdir -p $(BUILD)
	@SWIFT=$(SWIFT) contrib/dist $(BUILD)

deb-source: ## Create the Debian source package of the last commit, BUILD/deb-source/themed_VERSION-1.dsc
	@contrib/install-packages deb
	@$(MAKE) --no-print-directory dist
	@contrib/deb $(BUILD) source

deb: ## Build a Debian package, BUILD/deb/themed_VERSION_ARCHITECTURE.deb
	@contrib/install-packages deb
	@$(MAKE) --no-print-directory build
	@contrib/deb $(BUILD)

clean: ## Remove everything that was built
	rm -rf $(BUILD)

# A Python with other projects' Varlink client and renderer of templates, for the tests.
$(python)/ready: Tests/requirements.txt
	python3 -m venv $(python)
	$(python)/bin/python3 -m pip install --quiet --disable-pip-version-check -r Tests/requirements.txt
	@touch $@
