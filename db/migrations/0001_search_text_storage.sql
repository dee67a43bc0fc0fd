-- Compressing ten kilobytes of text takes PostgreSQL twice as long as all the rest of publishing them.
ALTER TABLE "search_document" ALTER COLUMN "text" SET STORAGE EXTERNAL;
