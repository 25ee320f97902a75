require('themed').load()
