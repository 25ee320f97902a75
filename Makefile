# Two commands matter: `make run` and `make test`. `make help` lists the others, which are scripts in tools and packaging.
.NOTPARALLEL:

SWIFT ?= swift
BUILD ?= .build
SWIFTFLAGS ?=
export SWIFT BUILD SWIFTFLAGS

# Where `make install` puts files: PREFIX, DESTDIR, and the GNU directories, each of which you can set on the command line.
# packaging/install has the rest.
PREFIX ?= /usr/local
directories = prefix exec_prefix bindir datarootdir datadir mandir docdir unitdir sysconfdir autostartdir icondir bashdir \
  zshdir fishdir emacsdir
set = $(if $(filter command,$(firstword $(origin $(1)))),$($(1)))
# A path as a word of the shell, whatever it has.
quoted = '$(subst ','\'',$(1))'
installation = PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) \
  $(foreach name,$(directories),$(name)=$(call quoted,$(call set,$(name))))

# The path of the clone may have spaces, but the name of BUILD may not.
build = $(if $(filter /%,$(BUILD)),$(BUILD),$(CURDIR)/$(BUILD))
package = --scratch-path $(BUILD) $(SWIFTFLAGS)
python = $(BUILD)/python

SECONDS ?= 60
CHANGES ?= 1000000
EVENTS ?= 10000
SEED ?=
UNDER ?= address
MINUTES ?= 30
ONLY ?=
OLD ?=
RUNS ?= 50
LANES ?=
PRODUCTS ?= debug

.PHONY: help run build test test-missing test-often test-trixie test-programs test-portal test-apps test-newest \
  test-homes test-install settings test-settings install-settings uninstall-settings files-settings demo check fuzz \
  corpus goldens interface mutants soak soak-desktop attack cost lint bench bench-compare bench-plot docs site screenshot \
  screenshot-settings bench-settings install uninstall files dist tarball release deb deb-source clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 20

# The packages of the system that a target needs.
packages-%:
	@tools/install-packages $*

run: packages-run build ## Run the daemon on your session bus, or on a private one
	@tools/run $(BUILD)/release/themed

build: ## Build themed and themectl for use
	@tools/build

test: packages-test $(python)/ready $(if $(filter release,$(PRODUCTS)),build) ## Run the unit tests and stories, on invisible real desktops (PRODUCTS=release: with the release build; ONLY=regex)
	@setpriv --pdeathsig KILL tools/test "$(build)" "$(PRODUCTS)" "$(ONLY)" $(SWIFT) test $(package)

test-missing: packages-test $(python)/ready ## Run the stories without each package that they use, then with all and with none (as root; ONLY='xvfb few')
	$(SWIFT) build $(package) --build-tests
	@tools/test-missing $(BUILD) $(ONLY)

test-often: packages-test $(python)/ready build ## Run the suite RUNS times, on all processors at once, to find flaky tests (RUNS=50: two hours)
	$(SWIFT) build --scratch-path $(BUILD)/opt $(SWIFTFLAGS) --configuration release -Xswiftc -enable-testing --build-tests
	@setpriv --pdeathsig KILL tools/test-often "$(build)" $(RUNS) $(LANES)

test-trixie: packages-test-trixie build ## Test with the portal of Debian 13, in a chroot in BUILD (as root)
	@tools/build themed-fake-portal
	@tools/test-trixie $(BUILD)

test-install: packages-test-install deb tarball ## Install, use and remove the Debian package, and the archive without root, in a fresh Debian 12 and Debian 13 (as root; OLD=package.deb: upgrade it)
	@OLD="$(OLD)" tools/test-install $(BUILD)

PROGRAMS = TerminalAppStories|DesktopAppStories|CommandAppStories|SignalStories|AskerStories|[.]EditorStories|EmacsStories|VendorPluginStories
MANY_PROGRAMS = |ManyProgramsStories
test-programs: packages-apps packages-askers ## Test with real programs of this Debian: those with app files and plugins, and some that ask the portal
	@THEMED_TRY_PROGRAMS=1 THEMED_ASKERS="$(build)/askers" $(MAKE) --no-print-directory test ONLY='$(PROGRAMS)$(MANY_PROGRAMS)'

test-portal: ## Test themed-portal at length: 1,000 changes, and 100 restarts in different orders (an hour)
	@THEMED_PORTAL_CHANGES=1000 THEMED_PORTAL_RESTARTS=100 THEMED_PORTAL_SILENCE=20 THEMED_PORTAL_STARTS=10 \
	  THEMED_PORTAL_LOG="$(build)/portal-changes.log" $(MAKE) --no-print-directory test \
	  ONLY='PortalBackendTrials|PortalStartTrials'

test-apps: packages-test-trixie build ## Try the shipped app files with the programs of Debian 13, in a chroot in BUILD (as root; ONLY='kitty signals:kitty')
	@tools/test-apps trixie $(BUILD) programs $(ONLY)

test-newest: packages-test-trixie build ## Try the shipped app files with the newest programs, those of Debian unstable, and say which entry of docs/tested.md is out of date (as root; ONLY='kitty foot')
	@tools/test-apps sid $(BUILD) programs $(ONLY)

test-homes: $(if $(HERE),packages-apps,packages-test-trixie) build ## Look at open windows after themectl setup, in twelve lived-in homes, with the programs of Debian 13 (HERE=1: of this system; as root; ONLY='stow kitty'; with open in ONLY, at windows opened before their app is enabled)
	@tools/test-apps $(if $(HERE),here,trixie) $(BUILD) matrix $(ONLY)

settings: packages-settings ## Build the settings window, themed-settings, with GTK 4 and libadwaita
	@tools/build-settings

test-settings: packages-test-settings $(if $(SYSTEM),packages-test-trixie) build settings ## Test the settings window: its model, and each task in a window on an invisible screen (ONLY=task; SYSTEM=trixie: with the GTK of Debian 13, in a chroot in BUILD, as root)
	tools/translations check
	$(SWIFT) test --package-path Sources/themed-settings --scratch-path $(BUILD)/settings $(SWIFTFLAGS)
	SYSTEM='$(SYSTEM)' tools/test-settings $(BUILD) $(ONLY)

demo: packages-demo build ## Build themed and watch it at work for half a minute, in any terminal
	@tools/demo $(BUILD)/release

check: packages-check lint build ## Check what tests do not check: style, scripts, links, spelling, linkage, memory, units, the Debian package, the source archive
	@tools/check

cost: packages-soak ## Count the daemon's instructions while a client sends one, two and four times as much
	tools/cost

fuzz: packages-run ## Fuzz every reader of foreign input, SECONDS=60 for each target
	tools/fuzz $(SECONDS)

corpus: ## Add the smallest set of inputs from make fuzz that covers the same code to Tests/Fuzz/corpus.tar.gz
	MINIMIZE=1 tools/fuzz

goldens: ## Update Tests/Goldens with the output of the command; read the difference
	THEMED_WRITE_GOLDENS=1 $(SWIFT) test $(package) --filter GoldenStories

interface: ## Update the frozen copy of the interface, its manual page and the roles in themed.theme(5): before a release, or with what it adds
	THEMED_WRITE_INTERFACE=1 THEMED_WRITE_MANUAL=1 $(SWIFT) test $(package) --filter 'ThemedInterfaceTests|ManualTests'

mutants: packages-test $(python)/ready ## Plant known bugs in a copy, one by one; the test named for each has to catch it (half an hour)
	tools/mutants $(ONLY)

soak: packages-soak ## Change the state CHANGES=1000000 times with clients of all kinds, UNDER=address, valgrind or plain
	tools/soak $(CHANGES) $(UNDER)

soak-desktop: ## Keep a real desktop in step through EVENTS=10000 random events (an hour); SEED=number repeats a run
	@THEMED_DESKTOP_EVENTS=$(EVENTS) THEMED_TEST_SEED=$(SEED) $(MAKE) --no-print-directory test ONLY=DesktopRandomStories

attack: packages-test build ## Run all attacks on the release build in turns for MINUTES=30 (ONLY=words: those whose description has them)
	@tools/build themed-fake-portal themed-attacker
	THEMED_ATTACK_MINUTES=$(MINUTES) THEMED_ATTACK_ONLY="$(ONLY)" THEMED_PRODUCTS="$(build)/release" \
	  $(SWIFT) test $(package) --filter AttackTests

site: packages-site $(BUILD)/site-python/ready ## Build the documentation as a site, BUILD/site/index.html; a dead link is an error
	@tools/site $(BUILD)

docs: ## Build the documentation of ThemeClient, BUILD/ThemeClient.doccarchive; warnings are errors
	tools/docs $(BUILD)

screenshot: packages-screenshot packages-bench packages-apps build ## Take the pictures docs/themes.png (themectl theme list) and docs/programs.png (six programs in light and dark)
	tools/screenshot $(BUILD)/release docs/themes.png
	tools/picture $(BUILD) docs/programs.png

bench-settings: packages-test-settings settings build ## Measure the start of the settings window beside that of an empty window, and its frames while a time is dragged
	$(CC) -O2 -o $(BUILD)/settings/empty Tests/Settings/empty.c $$(pkg-config --cflags --libs libadwaita-1)
	$(CC) -O2 -shared -fPIC -o $(BUILD)/settings/frames.so Tests/Settings/frames.c $$(pkg-config --cflags --libs gtk4)
	Tests/Settings/start $(BUILD)/release $(BUILD)/settings/release/themed-settings $(BUILD)/settings/empty
	Tests/Settings/frames $(BUILD)/release $(BUILD)/settings/release/themed-settings $(build)/settings/frames.so

screenshot-settings: settings build ## Take the pictures of the settings window, docs/settings-*.png
	tools/screenshot-settings $(BUILD)/release $(BUILD)/settings/release/themed-settings docs

lint: ## Check the style of the sources
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bench: packages-bench $(if $(filter-out 0,$(QUICK)),,packages-apps) build ## Measure beside the alternatives (QUICK=1: in seconds, to see that it works)
	@$(MAKE) --no-print-directory --directory Tests/Bench BUILD="$(build)"
	python3 -B Tests/Bench/bench $(BUILD)

bench-compare: ## Compare two runs of make bench: OLD=before.json NEW=after.json
	@python3 -B Tests/Bench/report.py compare $(OLD) $(NEW)

bench-plot: ## Plot the last run to docs/bench.svg, and copy its figures to docs/bench.json and docs/bench.txt
	python3 -B Tests/Bench/report.py plot $(BUILD)/bench.json docs/bench.svg
	cp $(BUILD)/bench.json docs/bench.json
	python3 -B Tests/Bench/report.py table docs/bench.json > docs/bench.txt

install: ## Install the build to PREFIX: programs, manual pages, completions, systemd user units
uninstall: ## Remove what install has installed
files: ## List what install installs: mode, source, destination
install uninstall files:
	@$(installation) packaging/install $@

install-settings: ## Install the build of the settings window to PREFIX
uninstall-settings: ## Remove what install-settings has installed
files-settings: ## List what install-settings installs
install-settings uninstall-settings files-settings:
	@$(installation) packaging/install $@

dist: ## Create the source archives of themed and of ThemeClient from the last commit, in BUILD/dist; they build without network access
	@mkdir -p $(BUILD)
	@packaging/dist $(BUILD)

tarball: build ## Pack the build with a script that installs it without root, BUILD/tarball/themed-VERSION-linux-MACHINE.tar.gz
	@packaging/tarball $(BUILD)

release: packages-deb packages-settings ## Make, check and sign everything that a release publishes, in BUILD/release-VERSION (KEY=key, or none)
	@packaging/release $(BUILD)

deb-source: packages-deb dist ## Create the Debian source package of the last commit, BUILD/deb-source/themed_VERSION-1.dsc
	@packaging/deb $(BUILD) source

deb: packages-deb build ## Build the Debian packages in BUILD/deb: themed, libthemed-swift-dev, and themed-settings after make settings
	@packaging/deb $(BUILD)

clean: ## Remove everything that was built
	rm -rf $(BUILD)

# A Python with other projects' Varlink client and renderer of templates, for the tests.
$(python)/ready: Tests/requirements.txt
	python3 -m venv $(python)
	$(python)/bin/python3 -m pip install --quiet --disable-pip-version-check -r Tests/requirements.txt
	@touch $@

# And one that builds the site.
$(BUILD)/site-python/ready: tools/site-requirements.txt
	python3 -m venv $(BUILD)/site-python
	$(BUILD)/site-python/bin/python3 -m pip install --quiet --disable-pip-version-check -r tools/site-requirements.txt
	@touch $@
