CREATE TABLE "former_artifact_address" (
	"project_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"artifact_id" uuid NOT NULL,
	"since" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "former_artifact_address_project_id_slug_pk" PRIMARY KEY("project_id","slug")
);
--> statement-breakpoint
ALTER TABLE "former_name" ADD COLUMN "since" timestamptz DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "former_name" SET "since" = "until" - interval '90 days';--> statement-breakpoint
ALTER TABLE "former_name" DROP COLUMN "until";--> statement-breakpoint
ALTER TABLE "former_address" ADD COLUMN "since" timestamptz DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "former_artifact_address" ADD CONSTRAINT "former_artifact_address_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_artifact_address_artifact" ON "former_artifact_address" USING btree ("artifact_id");--> statement-breakpoint
-- Addresses last: an artifact that leaves an address keeps it as a former one, and no other artifact can take it. The triggers
-- run after the unique index has decided, and so see what a writer committed for which the index made this one wait.
CREATE FUNCTION "keep_artifact_address"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_held boolean;
BEGIN
  SELECT f."artifact_id" <> NEW."artifact_id" AND a."deleted_at" IS NULL INTO is_held
  FROM "former_artifact_address" f JOIN "artifact" a ON a."artifact_id" = f."artifact_id"
  WHERE f."project_id" = NEW."project_id" AND f."slug" = NEW."slug";
  IF is_held THEN
    RAISE unique_violation USING CONSTRAINT = 'artifact_address_is_free',
      MESSAGE = 'the address is a former address of another artifact';
  ELSIF is_held IS NOT NULL THEN
    DELETE FROM "former_artifact_address" WHERE "project_id" = NEW."project_id" AND "slug" = NEW."slug";
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD."project_id" <> NEW."project_id" OR OLD."slug" <> NEW."slug") THEN
    INSERT INTO "former_artifact_address" ("project_id", "slug", "artifact_id")
    VALUES (OLD."project_id", OLD."slug", NEW."artifact_id")
    ON CONFLICT ("project_id", "slug") DO UPDATE SET "artifact_id" = excluded."artifact_id", "since" = excluded."since";
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "artifact_address_is_free" AFTER INSERT ON "artifact" FOR EACH ROW
  WHEN (NEW."deleted_at" IS NULL) EXECUTE FUNCTION "keep_artifact_address"();--> statement-breakpoint
CREATE TRIGGER "changed_artifact_address_is_free" AFTER UPDATE ON "artifact" FOR EACH ROW
  WHEN (NEW."deleted_at" IS NULL
    AND (OLD."deleted_at" IS NOT NULL OR OLD."slug" <> NEW."slug" OR OLD."project_id" <> NEW."project_id"))
  EXECUTE FUNCTION "keep_artifact_address"();--> statement-breakpoint
-- Likewise for projects. A deleted project keeps its slug while an artifact that moved out of it is not deleted.
CREATE FUNCTION "keep_project_address"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_held boolean;
BEGIN
  IF NEW."deleted_at" IS NULL THEN
    SELECT f."project_id" <> NEW."project_id" AND (p."deleted_at" IS NULL OR EXISTS (
      SELECT FROM "former_artifact_address" fa JOIN "artifact" a ON a."artifact_id" = fa."artifact_id"
      WHERE fa."project_id" = p."project_id" AND a."deleted_at" IS NULL)) INTO is_held
    FROM "former_address" f JOIN "project" p ON p."project_id" = f."project_id"
    WHERE f."workspace_id" = NEW."workspace_id" AND f."slug" = NEW."slug";
    IF is_held THEN
      RAISE unique_violation USING CONSTRAINT = 'project_address_is_free',
        MESSAGE = 'the address is a former address of another project';
    ELSIF is_held IS NOT NULL THEN
      DELETE FROM "former_address" WHERE "workspace_id" = NEW."workspace_id" AND "slug" = NEW."slug";
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD."deleted_at" IS NULL THEN
    INSERT INTO "former_address" ("workspace_id", "slug", "project_id")
    VALUES (OLD."workspace_id", OLD."slug", NEW."project_id")
    ON CONFLICT ("workspace_id", "slug") DO UPDATE SET "project_id" = excluded."project_id", "since" = excluded."since";
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "project_address_is_free" AFTER INSERT ON "project" FOR EACH ROW
  WHEN (NEW."deleted_at" IS NULL) EXECUTE FUNCTION "keep_project_address"();--> statement-breakpoint
CREATE TRIGGER "changed_project_address_is_free" AFTER UPDATE ON "project" FOR EACH ROW
  WHEN ((OLD."deleted_at" IS NULL) <> (NEW."deleted_at" IS NULL) OR OLD."slug" <> NEW."slug"
    OR OLD."workspace_id" <> NEW."workspace_id")
  EXECUTE FUNCTION "keep_project_address"();
