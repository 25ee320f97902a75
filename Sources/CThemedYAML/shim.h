// libyaml's types: its functions are loaded where they are needed (YAMLLibrary.swift).
#include <yaml.h>
