// What a page one reads does by script. Nothing in the document is needed for reading it.
