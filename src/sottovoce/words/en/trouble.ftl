### What a page says where its own program does not run. It stands in the page itself, since nothing can be fetched then.

trouble-began = This page's own program did not start, so the plain page is shown.
trouble-broke = This page's own program broke off. Load the page again; what was sent is not sent twice.
trouble-stopped = Something tried to do here what this page forbids, and your browser stopped it. Often that is an extension of
    the browser.
trouble-part = a part of it could not be loaded
trouble-help = A recent browser is needed (2024 or later), with scripts allowed for this site, opened by https or on this
    machine.
